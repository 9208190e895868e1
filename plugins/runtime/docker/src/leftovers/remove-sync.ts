import { spawnSync } from 'node:child_process';
import { connection } from '../engine/engine.ts';
import { keptPrefix, ofThisProcess, projectLabel } from './labels.ts';
import type { Standing } from './standing.ts';

/** For all of it, and then the time that the last look at what is left may take. */
const limitMs = 20_000;
const lookMs = 5_000;

// dockerode cannot wait without an event loop, so another node does. All programs are ended first, then the containers
// removed, all at once; then what held on to them. While the engine still makes some, it looks again.
const script = `
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const { dockerode, connection, ids, projects, maker, limitMs, projectLabel, keptPrefix } = JSON.parse(readFileSync(0, 'utf8'));
const { default: Docker } = await import(dockerode);
const docker = new Docker(connection);
const all = (work) => Promise.allSettled(work);
const labels = [...projects.map((label) => [label]), ...(maker === null ? [] : [maker])];
const find = async (label) => {
  const filters = { label };
  const [containers, networks, { Volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return { containers, networks, volumes: Volumes };
};
// What is kept for a person stays, with all that belongs to its compose project.
const isKept = ({ Names }) => Names.some((name) => name.startsWith('/' + keptPrefix));
const look = async () => {
  const found = (await all(labels.map(find))).flatMap(({ value }) => value ?? []);
  const standing = found.flatMap(({ containers }) => containers).filter(isKept);
  const kept = new Set(standing.flatMap(({ Labels }) => Labels[projectLabel] ?? []));
  const isOurs = ({ Labels }) => !kept.has(Labels?.[projectLabel]);
  return found.map(({ containers, networks, volumes }) => ({
    containers: containers.filter((one) => isOurs(one) && !isKept(one)),
    networks: networks.filter(isOurs),
    volumes: volumes.filter(isOurs),
  }));
};
const idsIn = (found) => found.flatMap(({ containers }) => containers.map(({ Id }) => Id));
const remove = async () => {
  let known = ids;
  for (let quiet = 0; quiet < (maker === null ? 1 : 3);) {
    const found = await look();
    const targets = [...new Set([...known, ...idsIn(found)])];
    known = [];
    quiet = targets.length === 0 ? quiet + 1 : 0;
    if (quiet > 0) await sleep(300);
    const each = targets.map((id) => docker.getContainer(id));
    await all(each.map((container) => container.kill()));
    // Twice, since Podman keeps a container as long as a relay shares its network.
    for (const round of [1, 2]) await all(each.map((container) => container.remove({ force: true, v: true })));
    await all(found.flatMap(({ networks, volumes }) => [
      ...networks.map(({ Id }) => docker.getNetwork(Id).remove()),
      ...volumes.map(({ Name }) => docker.getVolume(Name).remove()),
    ]));
    if (maker === null) return;
  }
};
await Promise.race([remove(), sleep(limitMs)]);
const left = (await look()).flatMap(({ containers }) => containers);
process.stdout.write(String(left.filter(({ Labels }) => Labels['vf.part'] === 'box').length));
process.exit();
`;

/** Removes boxes without giving up the thread: for the exit of this process. */
export function removeSync(address: string, boxes: readonly Standing[]): void {
  run(address, boxes, null);
}

/**
 * The same with all that this process has made on an engine, also what the engine is still making.
 * @returns how many boxes are left; null when that cannot be told
 */
export function removeAllSync(address: string, boxes: readonly Standing[]): number | null {
  return run(address, boxes, ofThisProcess());
}

function run(
  address: string,
  boxes: readonly Standing[],
  maker: readonly string[] | null,
): number | null {
  const input = JSON.stringify({
    dockerode: import.meta.resolve('dockerode'),
    connection: connection(address),
    ids: boxes.flatMap((box) => box.containerIds()),
    projects: boxes.flatMap((box) => box.projects()).map((name) => `${projectLabel}=${name}`),
    maker,
    limitMs,
    projectLabel,
    keptPrefix,
  });
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    // Not in the arguments, which others can see: there may be a key in it.
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: limitMs + lookMs,
    killSignal: 'SIGKILL',
  });
  return /^\d+$/.test(stdout) ? Number(stdout) : null;
}
