import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { allowlistProxy } from './allowlist-proxy.ts';

const addresses: Readonly<Record<string, readonly string[]>> = {
  'allowed.example': ['10.1.2.3'],
};
const proxies: ReturnType<typeof allowlistProxy>[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close().closeAllConnections();
});

async function start(): Promise<number> {
  const hosts = ['allowed.example', 'lost.example'];
  const proxy = allowlistProxy(hosts, async (name) => {
    const found = addresses[name];
    if (found === undefined) throw new Error(`ENOTFOUND ${name}`);
    return found;
  });
  proxies.push(proxy.listen(0, '127.0.0.1'));
  await once(proxy, 'listening');
  return (proxy.address() as AddressInfo).port;
}

/** All that the proxy says to one request until it closes. */
function ask(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each([
  'CONNECT a:99999999',
  'CONNECT [:1',
  'CONNECT :::',
  'CONNECT a%zz:1',
  'CONNECT allowed.example:99999',
  'GET /no/host',
  'GET http://[:1/',
])('%s names no target: 400, and the connection closes', async (line) => {
  expect(await ask(await start(), line)).toMatch(/^HTTP\/1.1 400 [^]*no host and port/);
});

test.each([
  ['other.example', 'does not allow other.example'],
  ['lost.example', 'lost.example is on the list of this box, but did not resolve'],
  ['allowed.example', 'resolves to an address that is not public (10.1.2.3)'],
])('why %s is refused is told', async (host, words) => {
  const port = await start();
  for (const line of [`CONNECT ${host}:443`, `GET http://${host}/`]) {
    const said = await ask(port, line);
    expect(said).toMatch(/^HTTP\/1.1 403 /);
    expect(said).toContain(words);
  }
});

test('whatever a box sends, it is answered or cut, and nothing is left to reject', async () => {
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  const port = await start();
  const odd = Array.from('ab%:[]/@#?.\\^019<>{}~é');
  const visible = fc.string({ unit: fc.constantFrom(...odd), maxLength: 20 });
  const target = fc.oneof(visible, fc.webUrl(), fc.ipV6());
  const method = fc.constantFrom('CONNECT', 'GET', 'POST');
  await fc.assert(
    fc.asyncProperty(method, target, async (verb, asked) => {
      expect(await ask(port, `${verb} ${asked}`)).toMatch(/^(?:HTTP\/1.1 (?:400|403) |$)/);
    }),
    { numRuns: 200 },
  );
  process.off('unhandledRejection', rejected);
  expect(rejected).not.toHaveBeenCalled();
});
