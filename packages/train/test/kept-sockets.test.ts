import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { EngineHttp } from '../src/engine/engine-http.ts';

const { signal } = new AbortController();

/** Over which socket each of six calls came, one after the other; every second one is streamed. */
async function sockets(endsStreams: boolean): Promise<readonly number[]> {
  const met: Socket[] = [];
  const over: number[] = [];
  const server = createServer((request, response) => {
    if (!met.includes(request.socket)) met.push(request.socket);
    over.push(met.indexOf(request.socket));
    const isStream = request.url === '/stream';
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? 'data: {}\n\n' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = new EngineHttp({ baseUrl: `http://127.0.0.1:${port}` }, { endsStreams });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  for (let round = 0; round < 3; round++) {
    await http.post('/plain', '{}', signal);
    expect((await Array.fromAsync(http.events('/stream', '{}', signal))).flat()).toEqual(['{}']);
  }
  return over;
}

test('no call follows a stream over its connection where the server ends that [train/kept-sockets]', async () => {
  const over = await sockets(true);
  expect(over).toHaveLength(6);
  for (const at of [1, 3, 5]) expect(over.lastIndexOf(over[at] ?? -1)).toBe(at);
});

test('they do where the server keeps it [train/kept-sockets]', async () => {
  const [, first, , second, , third] = await sockets(false);
  expect([second, third]).toEqual([first, first]);
});
