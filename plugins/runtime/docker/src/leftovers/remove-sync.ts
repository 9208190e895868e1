import { spawnSync } from 'node:child_process';
import { connection } from '../engine/engine.ts';
import { projectLabel } from './labels.ts';
import type { Standing } from './standing.ts';

const limitMs = 15_000;

// dockerode cannot wait without an event loop, so another node does. Removed at once, all of them; then what held on to
// a container.
const script = `
import { readFileSync } from 'node:fs';
const [dockerode, connection, ids, projects] = JSON.parse(readFileSync(0, 'utf8'));
const { default: Docker } = await import(dockerode);
const docker = new Docker(connection);
const all = (work) => Promise.allSettled(work);
const found = await all(projects.map(async (label) => {
  const filters = { label: [label] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  const { Volumes } = await docker.listVolumes({ filters });
  return { containers, networks, volumes: Volumes };
}));
const sets = found.flatMap(({ value }) => value ?? []);
const inSets = sets.flatMap(({ containers }) => containers.map(({ Id }) => Id));
const remove = (id) => docker.getContainer(id).remove({ force: true, v: true });
// Twice, since Podman keeps a container as long as a relay shares its network.
for (const round of [1, 2]) await all([...new Set([...ids, ...inSets])].map(remove));
await all(sets.flatMap(({ networks, volumes }) => [
  ...networks.map(({ Id }) => docker.getNetwork(Id).remove()),
  ...volumes.map(({ Name }) => docker.getVolume(Name).remove()),
]));
`;

/** Removes boxes without giving up the thread: for the exit of this process. */
export function removeSync(address: string, boxes: readonly Standing[]): void {
  const ids = boxes.flatMap((box) => box.containerIds());
  const projects = boxes.flatMap((box) => box.projects()).map((name) => `${projectLabel}=${name}`);
  const dockerode = import.meta.resolve('dockerode');
  const input = JSON.stringify([dockerode, connection(address), ids, projects]);
  spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    // Not in the arguments, which others can see: there may be a key in it.
    input,
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: limitMs,
  });
}
