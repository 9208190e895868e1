import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { intercept, requestOf } from './rig.ts';

const reply = {
  id: 'one',
  object: 'chat.completion',
  created: 0,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
};

/** Answers the first call of each connection, and ends it at the next, without a word of that before. */
async function forgetfulServer() {
  const heard = new Set<unknown>();
  const counts = { answered: 0, ended: 0 };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (heard.has(request.socket)) {
        counts.ended++;
        request.socket.end();
        return;
      }
      heard.add(request.socket);
      counts.answered++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts };
}

test('calls over kept connections that the provider has closed are answered, and recorded once [wire/kept-sockets]', async () => {
  const provider = await forgetfulServer();
  await using rig = await intercept(provider.url);
  const { path, body } = requestOf('chat-completions', false);
  const ask = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${rig.bearer}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${rig.url}${path}`, { method: 'POST', headers, body });
    return status;
  };
  for (let round = 0; round < 5; round++)
    expect(await Promise.all([ask(), ask()])).toEqual([200, 200]);
  expect(rig.trace.calls.map(({ error, attempt }) => [error, attempt])).toEqual(
    Array.from({ length: 10 }, () => [null, 1]),
  );
  expect(provider.counts.answered).toBe(10);
  expect(provider.counts.ended).toBeGreaterThan(0);
});
