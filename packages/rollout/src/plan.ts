import type {
  AnyHook,
  AnyTasksetSpec,
  BoxLabels,
  Client,
  Clock,
  AnyEnvironmentSpec,
  AnyHarnessSpec,
  Interception,
  Log,
  ModelCall,
  Price,
  RolloutLimits,
  Runtime,
  Sampling,
  Stage,
  AnyTask,
  ExtraUsage,
  SideChannel,
  SideModel,
  SideQuestion,
  ToolHost,
  Trace,
  VfError,
} from '@vf/core';

/** A row as loaded: `row` is the JSON that is traced, `task` the schema's output that hooks see. */
export interface TaskInstance {
  readonly key: string;
  /** SHA-256 of the row, hex. */
  readonly hash: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly task: AnyTask;
}

/** Milliseconds per stage; an absent one has no limit. */
export type StageLimits = Readonly<Partial<Record<Stage, number>>>;

/** Which failures are tried again, and how often. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The first rule that matches wins over `maxRetries`; `code` is a glob, `provider/*`. */
  readonly rules: readonly {
    readonly code?: string;
    readonly statusCodes?: readonly number[];
    readonly maxRetries: number;
  }[];
  /** Milliseconds before the first retry; doubles, with jitter, up to `maxDelayMs`. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** A reward or metric as the run plans it: the taskset's own or one that the config brings. */
export interface PlannedReward {
  readonly name: string;
  readonly weight: number;
  readonly priority: number;
  score(ctx: AnyHook): number | null | Promise<number | null>;
}

export interface PlannedMetric {
  readonly name: string;
  score(ctx: AnyHook): number | null | Promise<number | null>;
}

export interface PlannedStop {
  readonly name: string;
  stops(ctx: AnyHook): boolean | Promise<boolean>;
}

export interface TasksetPlan {
  readonly name: string;
  readonly spec: AnyTasksetSpec;
  readonly config: Readonly<Record<string, unknown>>;
  readonly rewards: readonly PlannedReward[];
  readonly metrics: readonly PlannedMetric[];
  readonly stops: readonly PlannedStop[];
  /** Weight of each group reward; one that is absent weighs 1. */
  readonly groupWeights: Readonly<Record<string, number>>;
}

/** One role of the environment: which program, where, with which model, within which bounds. */
export interface RolePlan {
  readonly name: string;
  readonly trainable: boolean;
  readonly scored: boolean;
  readonly harness: {
    readonly id: string;
    readonly version: string | null;
    readonly spec: AnyHarnessSpec;
    readonly config: Readonly<Record<string, unknown>>;
    /** Extra environment of the agent's program; never recorded. */
    readonly env: Readonly<Record<string, string>>;
  };
  readonly dialect: string;
  readonly runtime: {
    readonly id: string;
    readonly plugin: Runtime;
    readonly config: Readonly<Record<string, unknown>>;
  };
  readonly model: string;
  readonly client: Client;
  readonly sampling: Sampling;
  /** Is `sampling.seed` the run's, from which each rollout gets one of its own? Default: all rollouts have that one. */
  readonly seedEach?: boolean;
  readonly price: Price | null;
  readonly limits: RolloutLimits;
  readonly timeouts: StageLimits;
  /** Stretches the limits that a row brings. */
  readonly timeoutMultiplier: number;
  readonly retries: RetryPolicy;
  /** Keep the box of a rollout that ended without a score. */
  readonly keepFailedBoxes: boolean;
}

export interface EpisodePlan {
  readonly run: { readonly id: string; readonly name?: string };
  readonly environment: {
    readonly id: string;
    readonly spec: AnyEnvironmentSpec;
    readonly config: Readonly<Record<string, unknown>>;
  };
  readonly taskset: TasksetPlan;
  readonly roles: Readonly<Record<string, RolePlan>>;
}

/** Judges and simulated users of a run. */
export interface SideModels {
  /** @throws VfError for one that the plan does not know */
  find(declared: SideModel): Pick<SideChannel, 'prompt' | 'model'>;
  /** `spent` is told of every call that cost something, whatever comes of it. */
  ask(
    declared: SideModel,
    question: SideQuestion,
    around: { readonly spent: (usage: ExtraUsage) => void; readonly signal: AbortSignal },
  ): Promise<string>;
}

/** What happens to a rollout while it runs; must not throw. */
export interface RolloutObserver {
  started?(trace: Trace): void;
  phase?(trace: Trace, phase: Stage | 'backing-off' | 'done'): void;
  /** The agent has asked its model and waits. */
  asked?(trace: Trace): void;
  /** After a call was recorded. */
  call?(trace: Trace, call: ModelCall): void;
  retry?(trace: Trace, error: VfError, attempt: number, waitMs: number): void;
  finished?(trace: Trace): void;
}

/** What the life cycle needs of its surroundings. */
export interface Services {
  readonly interception: Interception;
  readonly toolHost: ToolHost | null;
  readonly sideModels: SideModels;
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  newId(): string;
  log(rolloutId: string): Log;
  labels(rolloutId: string): BoxLabels;
  /** The value of a `${NAME}` in a row's env; undefined when it is not set. */
  secret(name: string): string | undefined;
  /** Host folder for a rollout's artifacts, made when there is one to keep; null keeps none. */
  artifactDir(rolloutId: string): string | null;
  readonly observer: RolloutObserver;
}
