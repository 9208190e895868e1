import type { Episode, Trace } from '@vf/core';
import type { VfError } from '@vf/core/errors';
import { thrownAt } from '@vf/core/trace';
import { scoreGroup } from '@vf/rollout';
import type { TasksetPlan } from '@vf/rollout';
import type { GroupRecord } from '@vf/store';
import type { Job } from './job.ts';

/** Holds the traces of a task's attempts until all are there, then scores them together. */
export class GroupKeeper {
  readonly #taskset: TasksetPlan;
  readonly #attempts: number;
  readonly #groups = new Map<string, Map<number, Trace>>();
  /** Reads an attempt that an earlier session of the run finished; null when there is none. */
  readonly #stored: (task: string, attempt: number) => Promise<Episode | null>;

  constructor(
    taskset: TasksetPlan,
    attempts: number,
    stored: (task: string, attempt: number) => Promise<Episode | null>,
  ) {
    this.#taskset = taskset;
    this.#attempts = attempts;
    this.#stored = stored;
  }

  get isNeeded(): boolean {
    return Object.keys(this.#taskset.spec.groupRewards ?? {}).length > 0;
  }

  /** @returns the group's scores when `episode` was its last missing attempt */
  async add(job: Job, episode: Episode, signal: AbortSignal): Promise<GroupRecord | null> {
    const trace = episode.traces[0];
    if (trace === undefined) return null;
    const group = this.#groups.get(job.task.key) ?? new Map<number, Trace>();
    this.#groups.set(job.task.key, group);
    group.set(job.attempt, trace);
    await this.#addStored(job.task.key, group);
    if (group.size < this.#attempts) return null;
    this.#groups.delete(job.task.key);
    const attempts = [...group.keys()].sort((a, b) => a - b);
    const traces = attempts.flatMap((attempt) => group.get(attempt) ?? []);
    const scored = await scoreGroup(this.#taskset, job.task, traces, signal);
    const rewards = scored.map(
      ({ name, weight, scores, error }) =>
        [name, { weight, scores, ...(error === null ? {} : failureOf(error)) }] as const,
    );
    return { task: job.task.key, attempts, rewards: Object.fromEntries(rewards) };
  }

  async #addStored(task: string, group: Map<number, Trace>): Promise<void> {
    for (let attempt = 1; attempt <= this.#attempts; attempt++) {
      if (group.has(attempt)) continue;
      const trace = (await this.#stored(task, attempt))?.traces[0];
      if (trace !== undefined) group.set(attempt, trace);
    }
  }
}

function failureOf({ code, message, cause }: VfError): { error: string; at?: string } {
  const at = cause instanceof Error ? thrownAt(cause.stack ?? '') : null;
  return { error: `${code}: ${message}`, ...(at === null ? {} : { at }) };
}
