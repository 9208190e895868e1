import Docker from 'dockerode';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { Box, BoxSpec } from '@vf/core';
import { afterEach } from 'vitest';
import runtime from '../src/index.ts';

export const docker = new Docker();
export const { signal } = new AbortController();

const answers = await docker.ping().then(
  () => true,
  () => false,
);

/** Without an engine tests are skipped on a developer's machine and fail in CI. */
export const noEngine = !answers && process.env['CI'] !== 'true';

/** An address of this machine that boxes can route to while their network is open. */
export const outside =
  Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address ?? '';

/** Makes servers with one answer; gives their URLs. Closed after the test. */
export function servers(): (host: string, text: string) => Promise<string> {
  const made: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of made.splice(0)) server.close().closeAllConnections();
  });
  return async (host, text) => {
    const server = createServer((_request, answer) => answer.end(text)).listen(0, host);
    made.push(server);
    await once(server, 'listening');
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
}

/** Makes boxes that are stopped after the test. */
export function boxes(): (spec?: Partial<BoxSpec>, until?: AbortSignal) => Promise<Box> {
  const made: Box[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((box) => box.stop()));
  });
  return async (spec = {}, until = signal) => {
    const started = Math.floor(Date.now() - performance.now());
    const labels = { run: 'test', rollout: 'test', host: hostname(), pid: process.pid, started };
    const config = { pull: 'never', ...Object(spec.config) } as const;
    const image = spec.build === undefined ? { image: 'debian:bookworm' } : {};
    const box = await runtime.create({ ...image, labels, ...spec, config }, until);
    made.push(box);
    return box;
  };
}

/** Containers, networks and volumes that a process has made and that are still there. */
export async function leftBehind(pid = process.pid): Promise<readonly string[]> {
  const filters = { label: [`vf.maker.pid=${pid}`] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [
    ...containers.map(({ Names }) => Names.join()),
    ...networks.map(({ Name }) => Name),
    ...volumes.map(({ Name }) => Name),
  ];
}
