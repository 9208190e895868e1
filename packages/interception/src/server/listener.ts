import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dialect, Log, SessionSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Clock } from '../clock.ts';
import type { InterceptionLimits } from '../limits.ts';
import { createBearer } from '../session/bearer.ts';
import { SessionRegistry } from '../session/session-registry.ts';
import { Session } from '../session/session.ts';
import type { SessionHost } from '../session/session.ts';
import type { Turn } from '../turn/turn.ts';
import { connectTo } from './connect-to.ts';
import { handleRequest } from './handle-request.ts';
import { Heartbeat } from './heartbeat.ts';
import { RouteTable } from './routes.ts';

/** An import of `node:http` would load the fetch built into Node as well: as much as an empty program takes to start. */
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenerOptions {
  readonly dialects: readonly Dialect[];
  /** The address to listen on, and the one that stands in the URL. */
  readonly host: string;
  readonly limits: InterceptionLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly includeUsage: boolean;
}

/** One HTTP server with a place for some rollouts. */
export class Listener {
  readonly url: string;
  /** Opens a connection for a loop that runs in this process. */
  readonly connect: () => Duplex;
  readonly options: ListenerOptions;
  readonly sessions = new SessionRegistry();
  readonly routes: RouteTable;
  readonly heartbeat: Heartbeat<Turn>;
  readonly #server: Server;
  /** What its sessions share. */
  readonly #host: SessionHost;

  private constructor(
    server: Server,
    options: ListenerOptions,
    released: (listener: Listener) => void,
  ) {
    const { limits } = options;
    this.#server = server;
    this.options = options;
    this.routes = new RouteTable(options.dialects);
    this.heartbeat = new Heartbeat(
      Math.max(5, Math.min(1000, limits.keepAlive / 4, limits.earlyHead / 4)),
    );
    this.url = urlOf(options.host, (server.address() as AddressInfo).port);
    this.connect = () => connectTo(server);
    this.#host = {
      ...options,
      url: this.url,
      connect: this.connect,
      release: (session) => {
        this.sessions.remove(session);
        released(this);
      },
    };
    server.on('request', (request, response) => {
      void handleRequest(this, request, response);
    });
    // Clients of the responses dialect take 426 as "speak HTTP instead".
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
  }

  /**
   * @param released told when a session has left
   * @throws VfError `interception/failed` when the address cannot be listened on
   */
  static async open(
    options: ListenerOptions,
    released: (listener: Listener) => void,
  ): Promise<Listener> {
    const server = createServer({
      keepAliveTimeout: options.limits.idleSocket,
      // Models think for minutes and prompts are long: no time limit of ours on a call.
      requestTimeout: 0,
      highWaterMark: 64 * 1024,
      noDelay: true,
    });
    server.timeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: options.host, port: 0, backlog: 4096 }, resolve);
    }).catch((cause: unknown) => {
      const hint = 'give an address of this machine as host';
      throw new VfError(
        'interception/failed',
        `cannot listen on ${options.host}: ${String(cause)}`,
        { cause, hint },
      );
    });
    return new Listener(server, options, released);
  }

  get room(): number {
    return this.options.limits.rolloutsPerServer - this.sessions.size;
  }

  open(spec: SessionSpec): Session {
    const session = new Session(spec, createBearer(), this.#host);
    this.sessions.add(session);
    return session;
  }

  /** Closes all sessions, then the server with its sockets. */
  async close(): Promise<void> {
    await Promise.all(this.sessions.all().map((session) => session.close()));
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
