import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';

/** A Docker engine and how it is reached. */
export interface Engine {
  readonly docker: Docker;
  /** As in DOCKER_HOST. */
  readonly address: string;
  /** For DOCKER_HOST of other programs; may open a way there. */
  dockerHost(): Promise<string>;
  /** It is on this machine, so that it may see our files. */
  readonly local: boolean;
}

const engines = new Map<string, Engine>();

/** The engine of `host`, of DOCKER_HOST, or behind the first socket that is there; nothing is sent to it yet. */
export function engineAt(host: string | undefined): Engine {
  const address = host ?? process.env['DOCKER_HOST'] ?? `unix://${defaultSocket()}`;
  let engine = engines.get(address);
  if (engine === undefined) {
    const local = address.startsWith('unix://');
    engine = {
      address,
      local,
      dockerHost: async () => address,
      docker: new Docker(connection(address)),
    };
    engines.set(address, engine);
  }
  return engine;
}

/** What dockerode needs to know; a TCP engine with certificates is configured by DOCKER_CERT_PATH as in its CLI. */
export function connection(address: string): Docker.DockerOptions {
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) };
  const { protocol, hostname, port, username } = new URL(address);
  if (protocol === 'ssh:') {
    return { protocol: 'ssh', host: hostname, port: port || 22, username };
  }
  return { host: hostname, port: port || 2375 };
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
