import type { Moments } from './moments.ts';
import { addValue, emptyMoments } from './moments.ts';

/** One rollout as statistics see it; null means not scored, which is not a zero. */
export interface ScoredRow {
  /** the task's key */
  readonly task: string;
  /** names the row for its reader; attempts of one task count alike, in any order */
  readonly attempt?: number;
  readonly reward: number | null;
  /** the parts of the reward */
  readonly rewards?: Readonly<Record<string, number | null>>;
  readonly metrics?: Readonly<Record<string, number | null>>;
}

/** What is kept of all attempts at one task. */
export interface TaskTally {
  readonly reward: Moments;
  readonly rewards: Map<string, Moments>;
  readonly metrics: Map<string, Moments>;
  solved: number;
  unscored: number;
}

export interface TallyOptions {
  /** the reward from which a rollout counts as solved; default 1, full marks */
  readonly solvedAt?: number;
}

/** 0.1 added ten times is not 1: a reward that misses the bar by rounding alone still counts. */
const SLACK = 1e-9;

/** Sums up rollouts as they finish; memory grows with the tasks, not with the rollouts. */
export class Tally {
  readonly #solvedAt: number;
  readonly #tasks = new Map<string, TaskTally>();

  constructor(options: TallyOptions = {}) {
    this.#solvedAt = options.solvedAt ?? 1;
  }

  static of(rows: Iterable<ScoredRow>, options: TallyOptions = {}): Tally {
    const tally = new Tally(options);
    for (const row of rows) tally.add(row);
    return tally;
  }

  get tasks(): ReadonlyMap<string, Readonly<TaskTally>> {
    return this.#tasks;
  }

  /** The same counts under other keys, which must stay distinct. */
  renamed(name: (task: string) => string): Tally {
    const tally = new Tally({ solvedAt: this.#solvedAt });
    for (const [key, task] of this.#tasks) tally.#tasks.set(name(key), task);
    return tally;
  }

  /**
   * Adds one rollout. Parts and metrics of an unscored one are left out, so that every mean of a
   * report speaks of the same rollouts.
   *
   * @throws RangeError when a number is not finite
   */
  add(row: ScoredRow): void {
    const task = this.#taskOf(row.task);
    if (row.reward === null) {
      task.unscored += 1;
      return;
    }
    addValue(task.reward, row.reward);
    if (row.reward >= this.#solvedAt - SLACK) task.solved += 1;
    if (row.rewards) addAll(task.rewards, row.rewards);
    if (row.metrics) addAll(task.metrics, row.metrics);
  }

  #taskOf(key: string): TaskTally {
    let task = this.#tasks.get(key);
    if (!task) this.#tasks.set(key, (task = emptyTask()));
    return task;
  }
}

export function emptyTask(): TaskTally {
  return { reward: emptyMoments(), rewards: new Map(), metrics: new Map(), solved: 0, unscored: 0 };
}

function addAll(into: Map<string, Moments>, values: Readonly<Record<string, number | null>>): void {
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === null || value === undefined) continue;
    let moments = into.get(name);
    if (!moments) into.set(name, (moments = emptyMoments()));
    addValue(moments, value);
  }
}
