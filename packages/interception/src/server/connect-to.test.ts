import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { connectTo } from './connect-to.ts';

test('a request is answered without a socket: the server does not even listen', async () => {
  const server = createServer((request, response) => response.end(`you asked for ${request.url}`));
  const connection = connectTo(server);
  connection.write('GET /a HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n');
  expect(await text(connection)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*you asked for \/a/);
});

test('who closes the connection is noticed by the server', async () => {
  const server = createServer();
  const asked = once(server, 'request');
  const connection = connectTo(server);
  connection.write('GET /a HTTP/1.1\r\nhost: here\r\n\r\n');
  const [, response] = await asked;
  const closed = once(response, 'close');
  connection.destroy();
  await closed;
  expect(response.writableFinished).toBe(false);
});

test('a server that closes its connections closes this one', async () => {
  // Node keeps the list of a server's connections from when it listens.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request');
  const connection = connectTo(server);
  connection.write('GET /a HTTP/1.1\r\nhost: here\r\n\r\n');
  await asked;
  const closed = once(connection, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  expect(connection.destroyed).toBe(true);
});
