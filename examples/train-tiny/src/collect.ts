import type { Play, Worker } from './worker.ts';
import { startWorker } from './worker.ts';

/** One for each core: each has an engine of its own. */
const workers = 2;

/** What all workers play together. */
export interface Collection extends Omit<Play, 'taskset'> {
  readonly weights: string;
  readonly tokenizer: string;
  readonly out: string;
  /** Rollouts after which the first worker is killed; null: it lives. */
  readonly killAfter: number | null;
}

/** Plays sums with these weights, shared out over the workers. Gives the folders of their runs. */
export async function collect(wanted: Collection, signal: AbortSignal): Promise<readonly string[]> {
  const started = await startAll(wanted, signal);
  try {
    return await Promise.all(
      started.map((worker, shard) => {
        const share = { 'taskset.shard': shard, 'taskset.shards': workers };
        const play: Play = {
          ...wanted,
          taskset: 'sums.ts',
          run: `${wanted.run}-worker-${shard + 1}`,
          flags: { ...wanted.flags, ...share },
        };
        const { killAfter } = wanted;
        return killAfter !== null && shard === 0
          ? worker.playKilled(play, killAfter, signal)
          : worker.play(play, signal);
      }),
    );
  } finally {
    await Promise.all(started.map((worker) => worker[Symbol.asyncDispose]()));
  }
}

async function startAll(wanted: Collection, signal: AbortSignal): Promise<readonly Worker[]> {
  const starting = Array.from({ length: workers }, () => startWorker(wanted, signal));
  const settled = await Promise.allSettled(starting);
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map((worker) => worker[Symbol.asyncDispose]()));
  throw failed.reason;
}
