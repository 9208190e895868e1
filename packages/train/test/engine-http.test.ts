import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { EngineHttp } from '../src/engine/engine-http.ts';

const signal = new AbortController().signal;

async function serving(listener: RequestListener): Promise<EngineHttp> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = new EngineHttp({ baseUrl: `http://127.0.0.1:${port}/v1` });
  onTestFinished(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  return http;
}

test('a redirection is no answer, and its place is named [train/engine-errors]', async () => {
  const http = await serving((_request, response) => {
    response.writeHead(307, { location: 'http://elsewhere:8000/v1' }).end();
  });
  await expect(http.post('/generate', '{}', signal)).rejects.toMatchObject({
    error: { code: 'invalid', message: expect.stringContaining('http://elsewhere:8000/v1') },
  });
});

/** Sends a piece of 4 MiB again and again, up to a thousand times, as fast as it is taken. */
async function servingForEver(part: string) {
  const piece = Buffer.from(part.repeat(2 ** 22 / part.length));
  const sent = { pieces: 0 };
  const http = await serving((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && sent.pieces < 1000) {
        sent.pieces++;
        if (!response.write(piece)) return void response.once('drain', more);
      }
    };
    more();
  });
  return { http, sent };
}

test('an answer that does not end is let go of [train/no-sample]', async () => {
  const { http, sent } = await servingForEver(' ');
  await expect(http.post('/generate', '{}', signal)).rejects.toMatchObject({
    error: { code: 'malformed' },
  });
  expect(sent.pieces).toBeLessThan(100);
});

test.each(['data: x', ': beats\n', 'data: a line\n'])(
  'a stream of %j without an end of an event is let go of [train/no-sample]',
  async (part) => {
    const { http, sent } = await servingForEver(part);
    const told = Array.fromAsync(http.events('/generate', '{}', signal));
    await expect(told).rejects.toMatchObject({ error: { code: 'malformed' } });
    expect(sent.pieces).toBeLessThan(100);
  },
);

test('an address that is none fails the call and nothing else [train/engine-errors]', async () => {
  const http = new EngineHttp({ baseUrl: 'engine-host/v1' });
  await expect(http.post('/generate', '{}', signal)).rejects.toMatchObject({ code: 'unreachable' });
  // An error that nobody waited for would fail the test run here.
  await new Promise((resolve) => setImmediate(resolve));
  await http.close();
});
