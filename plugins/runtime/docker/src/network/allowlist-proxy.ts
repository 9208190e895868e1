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
 * that stands for a private address is refused; a listed address is not.
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
  const { hostname, port } = new URL(`http://${asked.url}`);
  const address = await addressOf(hostname, hosts, resolve);
  if (address === null) {
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${refusal(hostname)}`);
    return;
  }
  const upstream = connect({ host: address, port: Number(port) || 80, allowHalfOpen: true });
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
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : null;
  const address = url === null ? null : await addressOf(url.hostname, hosts, resolve);
  if (url === null || address === null) {
    answer.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(url?.hostname ?? 'it'));
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': _secret, ...headers } = asked.headers;
  const upstream = request(
    {
      host: address,
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
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
  });
  pipeline(asked, upstream, () => {});
}

/** Where to connect for an allowed host; resolved here, so that it is the address that was judged. */
async function addressOf(
  hostname: string,
  hosts: readonly string[],
  resolve: Resolve,
): Promise<string | null> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!isAllowed(host, hosts)) return null;
  if (isIP(host) !== 0) return host;
  const addresses = await resolve(host).catch(() => []);
  return addresses.find(isGlobal) ?? null;
}

function refusal(host: string): string {
  return `the network policy of this box does not allow ${host}\n`;
}
