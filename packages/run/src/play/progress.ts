import type { ModelCall, Stage, Trace } from '@vf/core';

export type Phase = Stage | 'backing-off';

/** What a run is doing at this moment. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly scored: number;
  readonly unscored: number;
  readonly retried: number;
  readonly phases: Readonly<Record<Phase, number>>;
  readonly reward: number | null;
  /** The 95 % interval; null when it has none. */
  readonly rewardInterval: readonly [low: number, high: number] | null;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  /** Rollouts of unknown cost. */
  readonly unpriced: number;
  readonly elapsedSeconds: number;
  /** null until a first rollout has finished. */
  readonly etaSeconds: number | null;
  readonly errors: Readonly<Record<string, number>>;
}

/** A rollout under way, for the list of the slowest. */
export interface Underway {
  readonly name: string;
  readonly phase: Phase;
  readonly turns: number;
  /** Unix milliseconds. */
  readonly since: number;
  /** What its agent does, and from when on in Unix milliseconds; null before its first call. */
  readonly agent: { readonly doing: 'model' | 'tool'; readonly since: number } | null;
}

/** Calls that wait for a reply of the model, and since when the longest does in Unix milliseconds; null when none does. */
export interface Waiting {
  readonly calls: number;
  readonly since: number | null;
}

const noneUnderway: Readonly<Record<Phase, number>> = {
  boot: 0,
  setup: 0,
  agent: 0,
  finalize: 0,
  scoring: 0,
  'backing-off': 0,
};

/** Follows rollouts under way; constant time per change. */
export class UnderwayBoard {
  readonly #rollouts = new Map<string, { -readonly [K in keyof Underway]: Underway[K] }>();
  readonly #phases = { ...noneUnderway };

  enter(trace: Trace, name: string, phase: Phase | 'done', nowMs: number): void {
    const known = this.#rollouts.get(trace.id);
    if (known !== undefined) this.#phases[known.phase]--;
    if (phase === 'done') {
      this.#rollouts.delete(trace.id);
      return;
    }
    this.#phases[phase]++;
    if (known === undefined)
      this.#rollouts.set(trace.id, { name, phase, turns: 0, since: nowMs, agent: null });
    else known.phase = phase;
  }

  /** A retry goes on under a new trace. */
  leave(trace: Trace): void {
    this.enter(trace, '', 'done', 0);
  }

  asked(trace: Trace, nowMs: number): void {
    const known = this.#rollouts.get(trace.id);
    if (known !== undefined) known.agent = { doing: 'model', since: nowMs };
  }

  /** A call that failed leaves its agent waiting: it is tried again. */
  called(trace: Trace, call: ModelCall, nowMs: number): void {
    const known = this.#rollouts.get(trace.id);
    if (known === undefined || call.node === null) return;
    known.turns++;
    known.agent = { doing: 'tool', since: nowMs };
  }

  get phases(): Readonly<Record<Phase, number>> {
    return { ...this.#phases };
  }

  waiting(): Waiting {
    let calls = 0;
    let since: number | null = null;
    for (const { phase, agent } of this.#rollouts.values()) {
      if (phase !== 'agent' || agent?.doing !== 'model') continue;
      calls++;
      since = Math.min(since ?? agent.since, agent.since);
    }
    return { calls, since };
  }

  /** The rollouts that began first. A map keeps the order in which they came. */
  slowest(count: number): Underway[] {
    const slowest: Underway[] = [];
    for (const rollout of this.#rollouts.values()) {
      if (slowest.length === count) break;
      slowest.push({ ...rollout });
    }
    return slowest;
  }
}
