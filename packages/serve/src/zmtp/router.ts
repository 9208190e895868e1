import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { VfError } from '@vf/core/errors';
import { bindHint, parseAddress } from './address.ts';
import type { Place } from './address.ts';
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

  /**
   * @param address `tcp://HOST:PORT` or `ipc://PATH`
   * @throws VfError usage/invalid for what is no address, interception/failed when it cannot be bound
   */
  static async bind(address: string, { maxBytes, message, gone }: RouterOptions): Promise<Router> {
    const place = parseAddress(address);
    const peers = new Set<Peer>();
    const events: PeerEvents = { message, gone };
    const server = createServer((socket) => {
      const peer = new Peer(socket, maxBytes, events);
      peers.add(peer);
      socket.once('close', () => peers.delete(peer));
    });
    try {
      await listen(server, place);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new VfError('interception/failed', `${address} cannot be listened on: ${cause}`, {
        hint: bindHint,
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

function addressOf(server: Server, bound: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return bound;
  const { address: host, port, family }: AddressInfo = address;
  return family === 'IPv6' ? `tcp://[${host}]:${port}` : `tcp://${host}:${port}`;
}
