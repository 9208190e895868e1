import { basename } from 'node:path';
import type { Episode } from '@vf/core';
import { decodeEpisode, encodeEpisode } from '@vf/core/trace';
import { RunWriter, readIndexStream } from '@vf/store';
import type { RunAbout } from './plan/about.ts';
import { summaryRecord } from './play/summary-record.ts';
import type { RunSummary } from './play/summary.ts';
import { storedSummary } from './summary.ts';
import { hashOfRow } from './tasks/task-key.ts';

/**
 * Writes episodes that were played elsewhere as a run of its own, which is shown, compared and exported like any other;
 * it cannot be resumed. The folder is made before the first episode is asked for, so a generator of them plays nothing
 * when it cannot be; each is on the disk before the next is asked for. What breaks off leaves the episodes so far.
 * @param dir a new folder; its name is that of the run
 * @throws VfError store/exists, store/not_writable, store/disk_full, and what `episodes` throws
 */
export async function storeEpisodes(
  dir: string,
  episodes: Iterable<Episode> | AsyncIterable<Episode>,
): Promise<RunSummary> {
  const name = basename(dir);
  const plan = { v: 1, run: { id: name, name } };
  const writer = await RunWriter.create({ dir, runId: name, name, configToml: '', plan });
  try {
    const parts = new Parts();
    const tell = async (): Promise<void> => {
      await writer.addToPlan('about', { ...parts.about });
      await writer.addToPlan('tasks', parts.tasks);
    };
    try {
      for await (const given of episodes) {
        const episode = named(given);
        await writer.append(episode);
        parts.add(episode);
        // A run that is killed says that nobody here can go on with it.
        if (parts.count === 1) await tell();
      }
    } finally {
      await tell();
    }
    const { about } = parts;
    const run = { run: name, dir, status: 'complete', ...about } as const;
    const summary = await storedSummary(run, readIndexStream(dir));
    await writer.writeSummary(summaryRecord(summary));
    return summary;
  } finally {
    await writer.close();
  }
}

/** A loop elsewhere need not know how vf names a row: without a hash, other tasks of the same key could not be told apart. */
function named(episode: Episode): Episode {
  if (episode.task.hash !== '') return episode;
  const { task, traces, ...record } = encodeEpisode(episode);
  const hash = hashOfRow(episode.task.data);
  const hashed = (of: unknown): object => ({ ...Object(of), hash });
  const all = Array.isArray(traces) ? traces : [];
  return decodeEpisode({
    ...record,
    task: hashed(task),
    traces: all.map((trace: unknown) => ({ ...Object(trace), task: hashed(Object(trace).task) })),
  });
}

/** What a run turns out to be made of. */
class Parts {
  readonly tasks: Record<string, string> = {};
  readonly #tasksets = new Set<string>();
  readonly #models = new Set<string>();
  readonly #runtimes = new Set<string>();
  readonly #harnesses = new Map<string, RunAbout['harnesses'][number]>();
  #attempts = 1;
  #rollouts = 0;

  get count(): number {
    return this.#rollouts;
  }

  add({ task, attempt, traces }: Episode): void {
    this.tasks[task.key] = task.hash;
    this.#tasksets.add(task.type);
    this.#attempts = Math.max(this.#attempts, attempt);
    this.#rollouts++;
    for (const { agent } of traces) {
      const { id, version } = agent.harness;
      this.#models.add(agent.model);
      this.#runtimes.add(agent.runtime.id);
      this.#harnesses.set(`${id}@${version}`, { id, version });
    }
  }

  get about(): RunAbout {
    return {
      taskset: [...this.#tasksets].join(', '),
      models: [...this.#models],
      harnesses: [...this.#harnesses.values()],
      runtimes: [...this.#runtimes],
      elsewhere: true,
      planned: {
        tasks: Object.keys(this.tasks).length,
        attempts: this.#attempts,
        rollouts: this.#rollouts,
      },
    };
  }
}
