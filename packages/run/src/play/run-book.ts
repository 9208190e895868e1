import type { Episode } from '@vf/core';
import { Tally, standing } from '@vf/stats';
import type { Standing } from '@vf/stats';
import { joinGroup } from '@vf/store';
import type { IndexEntry, RunWriter } from '@vf/store';
import { aboutOf } from '../plan/about.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import { BusyTime } from './busy-time.ts';
import { GroupKeeper } from './group-keeper.ts';
import { jobName } from './job.ts';
import type { Job } from './job.ts';
import { Ledger, runSummary } from './summary.ts';
import type { RunSummary } from './summary.ts';

export interface RunBookOptions {
  readonly plan: RunPlan;
  readonly run: { readonly id: string; readonly name?: string };
  readonly writer: RunWriter;
  /** Episodes of earlier sessions that stay as they are. */
  readonly done: readonly IndexEntry[];
}

/** What a run has so far: every episode on disk, and the figures over them. */
export class RunBook {
  /** Episodes that the plan asks for. */
  readonly total: number;
  readonly ledger = new Ledger();
  readonly #options: RunBookOptions;
  readonly #startedMs = Date.now();
  /** Of the sessions before this one, as far as their episodes stay. */
  readonly #before = new BusyTime();
  readonly #tally = new Tally();
  readonly #groups: GroupKeeper;
  readonly #entries = new Map<string, IndexEntry>();
  #standing: { readonly at: number; readonly rows: number; readonly figures: Standing } | null =
    null;
  #rows = 0;

  constructor(options: RunBookOptions) {
    this.#options = options;
    const { plan, done, writer } = options;
    const { rolloutsPerExample } = plan.config;
    this.total = plan.tasks.length * rolloutsPerExample;
    for (const entry of done) this.#before.add(entry);
    for (const entry of done) this.#entries.set(`${entry.task}:${entry.attempt}`, entry);
    this.#groups = new GroupKeeper(plan.episode.taskset, rolloutsPerExample, async (task, n) => {
      const entry = this.#entries.get(`${task}:${n}`);
      return entry === undefined ? null : writer.read(entry);
    });
    for (const entry of done) {
      this.ledger.add(entry);
      if (!this.#groups.isNeeded || this.#isGroupDone(entry.task)) this.#tallyReward(entry);
    }
  }

  get done(): number {
    return this.#entries.size;
  }

  get isWhole(): boolean {
    return this.#entries.size === this.total;
  }

  has(job: Job): boolean {
    return this.#entries.has(jobName(job));
  }

  /**
   * Puts an episode on disk and counts it; scores its group when it was the last of it.
   * @throws VfError store/disk_full, store/not_writable
   */
  async keep(job: Job, episode: Episode, signal: AbortSignal): Promise<IndexEntry> {
    const { writer } = this.#options;
    const entry = await writer.append(episode);
    this.#entries.set(jobName(job), entry);
    this.ledger.add(entry);
    if (!this.#groups.isNeeded) {
      this.#tallyReward(entry);
      return entry;
    }
    const group = await this.#groups.add(job, episode, signal);
    if (group === null) return entry;
    await writer.appendGroup(group);
    for (const attempt of group.attempts) {
      const member = this.#entries.get(`${group.task}:${attempt}`);
      if (member !== undefined) this.#tallyReward(joinGroup(member, group));
    }
    return entry;
  }

  /** Reward and counts as they stood within the last second; a live view asks four times as often. */
  standing(nowMs: number): Standing {
    const known = this.#standing;
    if (known !== null && (known.rows === this.#rows || nowMs - known.at < 1000))
      return known.figures;
    const figures = standing(this.#tally, this.ledger.weights);
    this.#standing = { at: nowMs, rows: this.#rows, figures };
    return figures;
  }

  /** All figures; linear in tasks. */
  summary(status: RunSummary['status']): RunSummary {
    const { plan, run, writer, done } = this.#options;
    const sessionSeconds = (Date.now() - this.#startedMs) / 1000;
    const about = {
      run: run.name ?? run.id,
      dir: writer.dir,
      status,
      ...aboutOf(plan),
      seconds: this.#before.seconds + sessionSeconds,
      ...(done.length === 0 ? {} : { sessionSeconds }),
    };
    return runSummary(about, this.#tally, this.ledger);
  }

  #isGroupDone(task: string): boolean {
    const { rolloutsPerExample } = this.#options.plan.config;
    return Array.from({ length: rolloutsPerExample }, (_, i) => `${task}:${i + 1}`).every((name) =>
      this.#entries.has(name),
    );
  }

  #tallyReward({ task, attempt, reward, rewards, metrics, turns }: IndexEntry): void {
    this.#rows++;
    this.#tally.add({ task, attempt, reward, rewards, metrics: { ...metrics, turns } });
  }
}
