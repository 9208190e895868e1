import { lookup } from 'node:dns/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { isAllowed, isGlobal } from './allowed-hosts.ts';
import { joinStreams } from './join-streams.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * An HTTP proxy that lets through what is on the list: `CONNECT` for TLS, absolute URLs for the rest. A listed name
 * that stands for a private address is refused; a listed address is not. What names no host is answered with 400.
 */
export function allowlistProxy(hosts: readonly string[], resolve: Resolve = systemResolve): Server {
  const server = createServer();
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => {});
    void tunnel(asked, client, head, hosts, resolve);
  });
  server.on('request', (asked, answer) => void forward(asked, answer, hosts, resolve));
  server.on('clientError', (_error, client) => client.destroy());
  return server;
}

async function tunnel(
  asked: IncomingMessage,
  client: Duplex,
  head: Buffer,
  hosts: readonly string[],
  resolve: Resolve,
): Promise<void> {
  const target = targetOf(`http://${asked.url}`);
  if (target === null) {
    client.end(answered(400, 'Bad Request', noTarget(asked.url)));
    return;
  }
  const found = await addressOf(target.hostname, hosts, resolve);
  if ('refusal' in found) {
    client.end(answered(403, 'Forbidden', found.refusal));
    return;
  }
  const upstream = connect({
    host: found.address,
    port: Number(target.port || 80),
    allowHalfOpen: true,
  });
  upstream.once('connect', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    joinStreams(client, upstream);
  });
  upstream.on('error', () => client.destroy());
}

async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  hosts: readonly string[],
  resolve: Resolve,
): Promise<void> {
  const plain = { 'content-type': 'text/plain' };
  const url = targetOf(asked.url ?? '');
  if (url === null) {
    answer.writeHead(400, plain).end(noTarget(asked.url));
    return;
  }
  const found = await addressOf(url.hostname, hosts, resolve);
  if ('refusal' in found) {
    answer.writeHead(403, plain).end(found.refusal);
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': _secret, ...headers } = asked.headers;
  const upstream = request(
    {
      host: found.address,
      port: url.port || 80,
      path: `${url.pathname}${url.search}`,
      method: asked.method ?? 'GET',
      headers: { ...headers, host: url.host },
    },
    (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      pipeline(reply, answer, () => {});
    },
  );
  upstream.on('error', (error) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, plain).end(error.message);
  });
  pipeline(asked, upstream, () => {});
}

/** Null for what names no host and port. */
function targetOf(url: string): URL | null {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'http:' && parsed.hostname !== '' ? parsed : null;
}

type Found = { readonly address: string } | { readonly refusal: string };

/** Where to connect for an allowed host; resolved here, so that it is the address that was judged. */
async function addressOf(
  hostname: string,
  hosts: readonly string[],
  resolve: Resolve,
): Promise<Found> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!isAllowed(host, hosts)) {
    return { refusal: `the network policy of this box does not allow ${host}\n` };
  }
  if (isIP(host) !== 0) return { address: host };
  const addresses = await resolve(host).catch(() => []);
  const address = addresses.find(isGlobal);
  if (address !== undefined) return { address };
  const why =
    addresses.length === 0
      ? 'did not resolve'
      : `resolves to an address that is not public (${addresses[0]})`;
  return { refusal: `${host} is on the list of this box, but ${why}\n` };
}

function noTarget(asked: string | undefined): string {
  return `no host and port to connect to: ${asked}\n`;
}

function answered(status: number, words: string, body: string): string {
  const head = `HTTP/1.1 ${status} ${words}\r\nContent-Type: text/plain\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
