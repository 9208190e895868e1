import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { judgingModel, verdict } from '../judges/world.ts';
import { vfPlace } from './vf.ts';

const tests = resolve(import.meta.dirname, '../..');
const header = 'x-gateway-token';
const token = 'let-me-in-3141';

/** A gateway before a model that lets in by a header alone. @returns its URL, and what it refused */
async function gateway(model: string): Promise<{ url: string; refused: string[] }> {
  const refused: string[] = [];
  const server = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked;
    if (headers[header] !== token) {
      refused.push(url);
      answer.writeHead(401).end('{}');
      return;
    }
    const { hostname, port } = new URL(model);
    const onward = request({ hostname, port, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    asked.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused };
}

test('the check before a run sends the headers from variables too, to judges as to agents', async () => {
  await using model = await judgingModel(() => verdict(1));
  const { url, refused } = await gateway(model.url);
  const place = await vfPlace({ VF_PROJECT: tests, GATEWAY_TOKEN: token });
  const play = ['eval', resolve(tests, 'fixtures/tasksets/judged-line.ts'), '-m', 'judge-model'];
  const address = ['--base-url', `${url}/v1`];
  const named = [...address, `--client.headers_from_env.${header}`];
  const events = await place.run(...play, ...named, 'GATEWAY_TOKEN');
  expect(events.filter(({ type }) => type === 'rollout.finished')).toHaveLength(1);
  expect(refused).toEqual([]);
  await expect(place.run(...play, ...address)).rejects.toThrow(/asks for a key \(status 401\)/);
  await expect(place.run(...play, ...named, 'NOT_SET')).rejects.toThrow(
    /NOT_SET is not set \(client\.headers_from_env, header x-gateway-token\)/,
  );
});
