import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { VfError } from '@vf/core/errors';
import { Peer } from './peer.ts';
import type { PeerEvents } from './peer.ts';

export interface RouterOptions extends PeerEvents {
  /** Bytes of one message; a larger one ends its connection. */
  readonly maxBytes: number;
}

/** What the peers get that have not read all when the router closes. */
const lingerMs = 1_000;

/**
 * The ROUTER socket of ZeroMQ (ZMTP 3.1, mechanism NULL) as a server over TCP or a Unix socket. Nothing waits for
 * anybody: what is sent to one that does not read is kept, and no more taken from it; to one that is gone it is dropped.
 */
export class Router {
  /** Where it listens, with the port that the system chose. */
  readonly address: string;
  readonly #server: Server;
  readonly #peers: Set<Peer>;

  private constructor(server: Server, peers: Set<Peer>, address: string) {
    this.#server = server;
    this.#peers = peers;
    this.address = address;
  }

  /** @param address `tcp://HOST:PORT` or `ipc://PATH` @throws VfError interception/failed when it cannot be bound */
  static async bind(address: string, { maxBytes, message, gone }: RouterOptions): Promise<Router> {
    const peers = new Set<Peer>();
    const events: PeerEvents = { message, gone };
    const server = createServer((socket) => {
      const peer = new Peer(socket, maxBytes, events);
      peers.add(peer);
      socket.once('close', () => peers.delete(peer));
    });
    try {
      await listen(server, placeOf(address));
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new VfError('interception/failed', `${address} cannot be listened on: ${cause}`, {
        hint: '--bind tcp://127.0.0.1:5001, or tcp://127.0.0.1:0 for any free port',
      });
    }
    return new Router(server, peers, addressOf(server, address));
  }

  /** Sends what waits, then ends every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.all([...this.#peers].map((peer) => peer.close(lingerMs)));
    await closed;
  }
}

type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** A Unix socket that a killed server left behind gives way. */
async function listen(server: Server, place: Place): Promise<void> {
  const isFree = 'path' in place && (await isLeftBehind(place.path));
  if (isFree) await rm(place.path, { force: true });
  server.listen(place);
  await once(server, 'listening');
}

/** Is there a socket on which nobody listens? Whatever else is there stays. */
async function isLeftBehind(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => null);
  if (there?.isSocket() !== true) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** @throws Error for what is no address */
function placeOf(address: string): Place {
  const [, path] = /^ipc:\/\/(.+)$/.exec(address) ?? [];
  if (path !== undefined) return { path };
  const match = /^tcp:\/\/(?:\[(.+)\]|([^[\]]+)):(\d+|\*)$/.exec(address);
  if (match === null) throw new Error('it is no tcp://HOST:PORT and no ipc://PATH');
  const [, six, four, port] = match;
  const host = six ?? four ?? '';
  return { host: host === '*' ? '0.0.0.0' : host, port: port === '*' ? 0 : Number(port) };
}

function addressOf(server: Server, bound: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return bound;
  const { address: host, port, family }: AddressInfo = address;
  return family === 'IPv6' ? `tcp://[${host}]:${port}` : `tcp://${host}:${port}`;
}
