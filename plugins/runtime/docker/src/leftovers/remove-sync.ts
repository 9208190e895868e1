import { spawnSync } from 'node:child_process';
import { connection } from '../engine/engine.ts';

const limitMs = 15_000;

// dockerode cannot wait without an event loop, so another node does. Removed at once, all of them.
const script = `
const [dockerode, connection, ids] = JSON.parse(process.argv[1]);
const { default: Docker } = await import(dockerode);
const docker = new Docker(connection);
await Promise.allSettled(ids.map((id) => docker.getContainer(id).remove({ force: true, v: true })));
`;

/** Removes containers without giving up the thread: for the exit of this process. */
export function removeSync(address: string, ids: readonly string[]): void {
  const input = JSON.stringify([import.meta.resolve('dockerode'), connection(address), ids]);
  spawnSync(process.execPath, ['--input-type=module', '--eval', script, input], {
    stdio: 'ignore',
    timeout: limitMs,
  });
}
