import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import type { NetworkPolicy } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import type { OpenRelay } from '../relay/open-relay.ts';
import type { Accept } from '../relay/relay.ts';
import { allowlistProxy } from './allowlist-proxy.ts';
import { joinStreams } from './join-streams.ts';
import type { Links } from './links.ts';
import { proxyVariables } from './proxy-variables.ts';

interface Port {
  readonly port: number;
  readonly close: () => void;
}

/**
 * What a box can reach. Open, it is on a network of the engine; closed, it is on none and has its own loopback alone.
 * Either way ports on that loopback lead through the relay to the host's servers, so no policy can cut them off by
 * accident and no server of the host need listen anywhere but on its own loopback.
 */
export class BoxNetwork {
  readonly #links: Links;
  readonly #open: () => Promise<OpenRelay>;
  #relay: Promise<OpenRelay> | null = null;
  readonly #routes = new Map<string, Promise<Port>>();
  readonly #exposed = new Map<number, Promise<Server>>();
  #proxy: Port | null = null;
  #mode: NetworkPolicy['mode'] = 'public';

  constructor(links: Links, open: () => Promise<OpenRelay>) {
    this.#links = links;
    this.#open = open;
  }

  /** For the environment of programs that start from now on. */
  get env(): Record<string, string> {
    return this.#proxy === null ? {} : proxyVariables(`http://127.0.0.1:${this.#proxy.port}`);
  }

  /** Container of the relay, once there is one. */
  async relayContainer(): Promise<Docker.Container | null> {
    return (await this.#relay?.catch(() => null))?.container ?? null;
  }

  /** An https URL is given back as it is: its certificate names its host. */
  async reach(url: string): Promise<string> {
    const target = new URL(url);
    if (target.protocol !== 'http:') return url;
    let route = this.#routes.get(target.host);
    if (route === undefined) {
      const host = target.hostname.replace(/^\[|\]$/g, '');
      route = this.#listen(carrier(host, Number(target.port || 80)));
      this.#routes.set(target.host, route);
      route.catch(() => this.#routes.delete(target.host));
    }
    const { port } = await route;
    return url.replace(`//${target.host}`, `//127.0.0.1:${port}`);
  }

  async expose(port: number): Promise<string> {
    let server = this.#exposed.get(port);
    if (server === undefined) {
      server = this.#serve(port);
      this.#exposed.set(port, server);
    }
    return `http://127.0.0.1:${portOf(await server)}`;
  }

  async setPolicy(policy: NetworkPolicy, routes: readonly string[]): Promise<void> {
    if (policy.mode === 'public') return this.#openUp();
    const kept = routes.map((url) => new URL(url));
    const foreign = kept.find(({ protocol }) => protocol !== 'http:');
    if (foreign !== undefined) {
      const message = `network policy ${policy.mode} cannot keep ${foreign.origin} reachable`;
      throw new VfError('misfit/plan', message, { retryable: false });
    }
    await this.#links.close();
    await this.#closeRoutes(new Set(kept.map(({ host }) => host)));
    await Promise.all(routes.map((url) => this.reach(url)));
    this.#dropProxy();
    if (policy.mode === 'allowlist') this.#proxy = await this.#openProxy(policy.hosts);
    this.#mode = policy.mode;
  }

  async close(): Promise<void> {
    this.#dropProxy();
    for (const server of this.#exposed.values()) (await server.catch(() => null))?.close();
    (await this.#relay?.catch(() => null))?.relay.close();
  }

  async #openUp(): Promise<void> {
    if (this.#mode === 'public') return;
    await this.#links.open();
    this.#dropProxy();
    this.#mode = 'public';
  }

  async #openProxy(hosts: readonly string[]): Promise<Port> {
    const server = allowlistProxy(hosts);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const { port, close } = await this.#listen(carrier('127.0.0.1', portOf(server)));
    return { port, close: () => [close(), server.close()] };
  }

  #dropProxy(): void {
    this.#proxy?.close();
    this.#proxy = null;
  }

  async #listen(accept: Accept): Promise<Port> {
    this.#relay ??= this.#open();
    return (await this.#relay).relay.listen(accept);
  }

  async #serve(port: number): Promise<Server> {
    this.#relay ??= this.#open();
    const { relay } = await this.#relay;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      relay.dial(port).then(
        (far) => joinStreams(socket, far),
        () => socket.destroy(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return server;
  }

  async #closeRoutes(kept: ReadonlySet<string>): Promise<void> {
    for (const [host, route] of this.#routes) {
      if (kept.has(host)) continue;
      this.#routes.delete(host);
      (await route.catch(() => null))?.close();
    }
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function carrier(host: string, port: number): Accept {
  return (connection) => {
    const server = connect({ host, port, allowHalfOpen: true });
    joinStreams(connection, server);
  };
}
