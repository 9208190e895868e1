import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { serveCommands } from './interception/child.ts';

/** Forwards bytes to the provider and back and understands nothing: what interception is measured against. */
const pool = new Pool(process.argv[2] ?? '', { headersTimeout: 0, bodyTimeout: 0 });

const server = createServer((request, response) => {
  const { method = 'GET', url = '/' } = request;
  const headers = {
    'content-type': request.headers['content-type'] ?? '',
    authorization: 'Bearer key',
    'content-length': request.headers['content-length'] ?? '',
  };
  pool
    .stream({ path: url, method, headers, body: request }, ({ statusCode, headers: replied }) => {
      response.writeHead(statusCode, replied);
      return response;
    })
    .catch(() => response.destroy());
});

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  serveCommands({
    open: (count) => Array.from({ length: count }, () => ({ url, bearer: 'none' })),
    close: () => undefined,
  });
});
