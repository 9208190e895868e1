import type { Stage, Usage } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { Progress } from './progress.ts';
import type { RunSummary } from './summary.ts';

/** How a run ended. `stopped`: by itself (same failure everywhere, budget, disk); `interrupted`: by a signal. */
export type RunStatus = 'complete' | 'incomplete' | 'stopped' | 'interrupted';

/** What a run tells while it goes. No text of model, agent or task is in an event. */
export type RunEvent =
  | {
      readonly type: 'run.planned';
      readonly run: string;
      readonly dir: string;
      /** Keys as people write them. */
      readonly config: Readonly<Record<string, unknown>>;
      readonly tasks: number;
      readonly rollouts: number;
      readonly problems: readonly Problem[];
    }
  | {
      readonly type: 'run.started';
      readonly pid: number;
      readonly host: string;
      readonly done: number;
    }
  | {
      readonly type: 'rollout.phase';
      readonly episode: string;
      readonly task: string;
      readonly attempt: number;
      readonly phase: Stage | 'backing-off' | 'done';
    }
  | {
      readonly type: 'rollout.retry';
      readonly episode: string;
      readonly code: string;
      readonly attempt: number;
      readonly waitMs: number;
    }
  | RolloutFinished
  | ({ readonly type: 'progress' } & Progress)
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | {
      readonly type: 'run.finished';
      readonly status: RunStatus;
      readonly reason: string | null;
      readonly exitCode: number;
      readonly summary: RunSummary;
    };

export interface RolloutFinished {
  readonly type: 'rollout.finished';
  readonly episode: string;
  readonly task: string;
  readonly attempt: number;
  /** null: unscored. */
  readonly reward: number | null;
  readonly rewards: Readonly<Record<string, number | null>>;
  readonly stop: string | null;
  /** `at`: where the author's own code threw, `file:line:column`. */
  readonly error: { readonly code: string; readonly message: string; readonly at?: string } | null;
  readonly usage: Usage;
  readonly cost: number | null;
  /** Unix seconds; seconds of the agent's stage, and those of them with a model call under way. */
  readonly timing: {
    readonly start: number;
    readonly end: number;
    readonly agentSeconds: number;
    readonly modelSeconds: number;
  };
  /** Place of the episode's line in traces.jsonl, bytes. */
  readonly offset: number;
  readonly length: number;
}
