import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { connection, engineAt } from '../src/engine/engine.ts';

/** A socket behind which the real engine stands, but for what is answered in its place. Closed after the test. */
export function pretenders(): (answers: Readonly<Record<string, object>>) => Promise<string> {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  return async (answers) => {
    const { socketPath } = connection(engineAt(undefined).address) as { socketPath: string };
    const dir = await mkdtemp(join(tmpdir(), 'vf-pretend-'));
    const server = createServer((asked, answer) => {
      const own = answers[asked.url ?? ''];
      if (own !== undefined) {
        answer.setHeader('content-type', 'application/json').end(JSON.stringify(own));
        return;
      }
      const { method = 'GET', url = '/', headers } = asked;
      const real = request({ socketPath, method, path: url, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      });
      asked.pipe(real);
    });
    server.on('upgrade', (asked, socket) => {
      const real = connect(socketPath);
      const lines = asked.rawHeaders.map((word, i) => (i % 2 === 0 ? `${word}: ` : `${word}\r\n`));
      real.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.pipe(real).pipe(socket);
    });
    const path = join(dir, 'engine.sock');
    server.listen(path);
    await once(server, 'listening');
    closing.push(async () => {
      server.close().closeAllConnections();
      await rm(dir, { recursive: true });
    });
    return `unix://${path}`;
  };
}
