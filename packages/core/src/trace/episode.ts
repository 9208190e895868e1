import type { Trace, TraceError } from './trace.ts';

/** One play of an environment: what its rollouts left. One line of `traces.jsonl`. */
export interface Episode {
  readonly id: string;
  /** Environment id and its name. */
  readonly env: { readonly id: string; readonly name?: string };
  readonly task: Trace['task'];
  /** Which attempt at the task, from 1. */
  readonly attempt: number;
  readonly run?: { readonly id: string; readonly name?: string };
  readonly traces: readonly Trace[];
  /** Errors of the episode itself; those of a rollout are on its trace. */
  readonly errors: readonly TraceError[];
  readonly ok: boolean;
  readonly isTimeout: boolean;
  readonly unknown?: Readonly<Record<string, unknown>>;
}
