import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Box } from '@vf/core';
import { afterEach, describe, expect, test } from 'vitest';
import type { RuntimeFixture } from './fixture.ts';
import { output, sh } from './shell.ts';

const fetchScript = `if command -v curl >/dev/null; then exec curl -sS --max-time 10 "$1"; fi
if command -v wget >/dev/null; then exec wget -T 10 -qO- "$1"; fi
exec python3 -c 'import sys,urllib.request as u; print(u.urlopen(sys.argv[1], timeout=10).read().decode(), end="")' "$1"`;

const serveScript = `if command -v python3 >/dev/null; then exec python3 -m http.server "$1"; fi
exec busybox httpd -f -p "$1"`;

/** `reach`, `expose` and `setNetwork`. */
export function networkTests(at: RuntimeFixture): void {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const host = async (greeting: string): Promise<string> => {
    const server = createServer((request, response) =>
      response.end(`${greeting} ${request.url ?? ''}`),
    );
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const lacks = new Set(at.options.without);

  describe('network', () => {
    if (!lacks.has('reach')) {
      test('a server on the loopback of the host is reached from inside', async () => {
        const url = await host('hello');
        const [inside, again] = await Promise.all([
          at.box.reach(url, at.signal),
          at.box.reach(url, at.signal),
        ]);
        expect(again).toBe(inside);
        expect(await output(at.box, fetchScript, [`${inside}/some/path?q=1`])).toBe(
          'hello /some/path?q=1',
        );
      });

      test('a closed network keeps its routes and nothing else; one that cannot close refuses', async () => {
        const box = await at.open();
        const [kept, other] = [await host('kept'), await host('other')];
        const [toKept, toOther] = [
          await box.reach(kept, at.signal),
          await box.reach(other, at.signal),
        ];
        const closed = await box.setNetwork({ mode: 'no-network' }, [kept], at.signal).then(
          () => true,
          () => false,
        );
        const { policies, policyChange } = at.runtime.offers;
        expect(closed).toBe(policyChange && policies.includes('no-network'));
        expect(await output(box, fetchScript, [toKept])).toBe('kept /');
        expect((await sh(box, fetchScript, [toOther])).exitCode === 0).toBe(!closed);
      });
    }

    if (!lacks.has('expose')) {
      test('a port of the box is reached from the host', async () => {
        const box = await at.open();
        await box.write('index.html', 'from inside');
        const port = 20_000 + Math.floor(Math.random() * 20_000);
        const server = await box.spawn(['sh', '-c', serveScript, 'sh', String(port)]);
        const url = await box.expose(port, at.signal);
        await expect.poll(() => text(url), { timeout: 20_000 }).toBe('from inside');
        await server.kill('SIGKILL');
        await server.wait();
      });
    }

    test('setting the policy that holds is no change', async () => {
      const box: Box = await at.open();
      await box.setNetwork({ mode: 'public' }, [], at.signal);
      expect(await box.alive()).toBe(true);
    });
  });
}

async function text(url: string): Promise<string> {
  try {
    return await (await fetch(`${url}/index.html`)).text();
  } catch (error) {
    return String(error);
  }
}
