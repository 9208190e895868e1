import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { serveCommands } from './interception/child.ts';
const mode = process.env['MODE'];
const pool = new Pool(process.argv[2] ?? '', { headersTimeout: 0, bodyTimeout: 0, allowH2: false });
const server = createServer((request, response) => {
  const { method = 'GET', url = '/' } = request;
  const chunks: Buffer[] = [];
  request.on('data', (c) => chunks.push(c));
  request.on('end', () => {
    const length = chunks.reduce((n, c) => n + c.length, 0);
    let body: any;
    if (mode === 'concat') body = Buffer.concat(chunks);
    else if (mode === 'iter') body = chunks;
    else {
      let next = 0;
      body = new Readable({
        highWaterMark: 1 << 24,
        read() {
          let t = true;
          while (t) t = this.push(chunks[next++] ?? null);
        },
      });
    }
    const out: Buffer[] = [];
    let head: any;
    pool.dispatch(
      {
        path: url,
        method,
        headers: [
          'content-type',
          'application/json',
          'authorization',
          'Bearer key',
          'content-length',
          String(length),
        ],
        body,
      },
      {
        onRequestStart() {},
        onResponseStart(_c, status, h) {
          head = [status, h];
        },
        onResponseData(_c, d) {
          out.push(d);
        },
        onResponseEnd() {
          response.writeHead(head[0], head[1]);
          response.end(out[0]);
        },
        onResponseError(_c, e) {
          console.error(e);
          response.destroy();
        },
      },
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  serveCommands({
    open: (count) => Array.from({ length: count }, () => ({ url, bearer: 'none' })),
    close: () => undefined,
  });
});
