import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { requireAddress } from './address.ts';
import { openTunnel, tunnelSocket } from './ssh-tunnel.ts';

/** A Docker engine and how it is reached. */
export interface Engine {
  readonly docker: Docker;
  /** As in DOCKER_HOST. */
  readonly address: string;
  /** It is on this machine, so that it may see our files. */
  readonly local: boolean;
  /**
   * Opens the way to it, where there is one to open; needed before anything is asked of it.
   * @returns DOCKER_HOST for other programs
   * @throws VfError runtime/engine_gone
   */
  connect(): Promise<string>;
}

const engines = new Map<string, Engine>();

/**
 * The engine of `host`, of DOCKER_HOST, or behind the first socket that is there; nothing is sent to it yet.
 * @throws VfError config/invalid when what is said names none
 */
export function engineAt(host: string | undefined): Engine {
  const address = host ?? (process.env['DOCKER_HOST'] || `unix://${defaultSocket()}`);
  let engine = engines.get(address);
  if (engine === undefined) {
    requireAddress(address, host === undefined ? 'DOCKER_HOST' : 'host');
    const isTunnelled = address.startsWith('ssh://');
    engine = {
      address,
      local: address.startsWith('unix://'),
      docker: new Docker(connection(address)),
      connect: isTunnelled ? () => openTunnel(address) : () => Promise.resolve(address),
    };
    engines.set(address, engine);
  }
  return engine;
}

/**
 * What dockerode needs to know. As for Docker's own CLI, DOCKER_TLS_VERIFY asks for TLS with the certificates in
 * DOCKER_CERT_PATH.
 */
export function connection(address: string): Docker.DockerOptions {
  // Said in so many words: dockerode would take another DOCKER_HOST for what is left out.
  const local = { host: undefined, port: undefined } as const;
  if (address.startsWith('unix://')) {
    return { ...local, socketPath: address.slice('unix://'.length) };
  }
  if (address.startsWith('ssh://')) return { ...local, socketPath: tunnelSocket(address) };
  const { hostname, port } = new URL(address);
  const isSecret = Boolean(process.env['DOCKER_TLS_VERIFY']) || address.startsWith('https://');
  if (!isSecret) return { protocol: 'http', host: hostname, port: port || 2375 };
  const folder = process.env['DOCKER_CERT_PATH'] ?? join(homedir(), '.docker');
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return { protocol: 'https', host: hostname, port: port || 2376, ca, cert, key };
}

function defaultSocket(): string {
  const standard = '/var/run/docker.sock';
  const own = process.env['XDG_RUNTIME_DIR'];
  const candidates = [
    standard,
    ...(own === undefined ? [] : [join(own, 'docker.sock')]),
    join(homedir(), '.docker/run/docker.sock'),
    ...(own === undefined ? [] : [join(own, 'podman/podman.sock')]),
  ];
  return candidates.find((path) => existsSync(path)) ?? standard;
}
