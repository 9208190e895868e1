import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerClient } from './env-server/server-client.ts';
import { MeasuredProcess } from './processes/measured-process.ts';
import type { Play } from './run/player.ts';

/**
 * Processor time of a rollout that an environment server plays, against one of a run in its own process: the same sums,
 * the null harness, a model that answers at once from a process of its own.
 */
const atOnce = 64;
const rollouts = 2_000;
const rounds = 5;
const warmUps = 2;
const most = 1.1;

const folder = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const model = await MeasuredProcess.start(new URL('./run/model.ts', import.meta.url), []);
const { url: modelUrl } = model.ready as { url: string };

/** Microseconds of the server for each rollout, and of a run in its own process, taken in turns. */
async function ours(): Promise<{ readonly served: number; readonly run: number }> {
  const server = await MeasuredProcess.start(
    new URL('./env-server/vf-server.ts', import.meta.url),
    [String(atOnce)],
  );
  const player = await MeasuredProcess.start(new URL('./run/player.ts', import.meta.url), [folder]);
  const { address } = server.ready as { address: string };
  const client = new ServerClient(address, modelUrl);
  const costOf = async (
    process: MeasuredProcess,
    work: () => Promise<unknown>,
  ): Promise<number> => {
    const before = await process.used();
    await work();
    return ((await process.used()).cpu - before.cpu) / rollouts;
  };
  let [served, run] = [0, 0];
  const play: Play = { modelUrl, rollouts, atOnce };
  for (let i = -warmUps; i < rounds; i++) {
    const costs = [
      await costOf(server, () => client.play(rollouts, atOnce)),
      await costOf(player, () => player.ask(play)),
    ] as const;
    if (i < 0) continue;
    served += costs[0] / rounds;
    run += costs[1] / rounds;
  }
  client.close();
  server.stop();
  player.stop();
  return { served, run };
}

const { served, run } = await ours();
console.log(`${atOnce} at once: served ${served.toFixed(0)} µs, a run ${run.toFixed(0)} µs`);
console.log(`  ${(served / run).toFixed(2)} x (at most ${most})`);
console.log(`  ${(1e6 / served).toFixed(0)} rollouts a second of one core`);
model.stop();
await rm(folder, { recursive: true });
