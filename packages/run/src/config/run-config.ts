import type { Price, RolloutLimits, Sampling } from '@vf/core';
import type { RendererSpec } from './renderer-settings.ts';

/** A plugin's table: which one, and its own options as written. */
export interface PluginTable {
  /** A short id, `package#id`, or a path. */
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface HarnessTable extends PluginTable {
  readonly version: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the shell that the agent's program gets; values are never recorded. */
  readonly forwardEnv: readonly string[];
}

export interface RuntimeTable {
  /** null: docker when a task names an image, else subprocess. */
  readonly id: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** `failed`: boxes of unscored rollouts stay until `vf cleanup`. */
  readonly keep: 'never' | 'failed';
}

export interface ClientConfig {
  /** null with no `baseUrl`: the one provider whose key is set. */
  readonly provider: string | null;
  readonly type: 'eval' | 'train';
  readonly baseUrl: string | null;
  readonly apiKeyVar: string | null;
  readonly dialects: readonly string[] | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Header name -> variable that holds its value. */
  readonly headersFromEnv: Readonly<Record<string, string>>;
  readonly train: TrainConfig;
}

/** Of `type = "train"`. */
export interface TrainConfig {
  readonly engine: 'vllm' | 'vllm-chat' | 'sglang' | 'llama.cpp' | null;
  /** Base URLs of more servers of the same model. */
  readonly replicas: readonly string[];
  /** A renderer family; null: told by the model's name. */
  readonly renderer: string | null;
  readonly rendererOptions: RendererSpec['options'];
  /** Folder with the model's `tokenizer.json`; null: the model is one. */
  readonly tokenizer: string | null;
  /** Which logprobs a vLLM was started with. */
  readonly logprobs: 'raw' | 'processed';
  /** May the engine's own chat template be another than the renderer's? */
  readonly otherTemplate: boolean;
}

/** Milliseconds; null = no limit. `rollout` bounds the agent's stage. */
export interface TimeoutConfig {
  readonly boot: number | null;
  readonly setup: number | null;
  readonly rollout: number | null;
  readonly finalize: number | null;
  readonly scoring: number | null;
  /** Stretches every limit, those of the rows too. */
  readonly multiplier: number;
}

export interface RetryConfig {
  readonly maxRetries: number;
  readonly rules: readonly {
    readonly code?: string;
    readonly statusCode?: readonly number[];
    readonly maxRetries: number;
  }[];
}

/** What a role may have of its own; an absent field is the run's. */
export interface RoleConfig {
  readonly model?: string;
  readonly client?: ClientConfig;
  readonly harness?: HarnessTable;
  readonly runtime?: RuntimeTable;
  readonly sampling?: Sampling;
  readonly limits?: RolloutLimits;
  readonly timeout?: TimeoutConfig;
  readonly retries?: RetryConfig;
}

/** A hook of the taskset switched, weighed or added from the config. `fn` is `path#export`. */
export interface HookConfig {
  readonly weight?: number;
  readonly enabled?: boolean;
  readonly fn?: string;
}

/** One run's configuration with every layer applied. Paths are absolute, names resolved by nobody yet. */
export interface RunConfig {
  readonly model: string | null;
  /** null = all. */
  readonly numExamples: number | null;
  readonly rolloutsPerExample: number;
  readonly maxConcurrent: number;
  readonly outputDir: string;
  /** `--run NAME`. */
  readonly runName: string | null;
  readonly client: ClientConfig;
  readonly select: {
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly skip: number;
    readonly shuffle: boolean;
    readonly seed: number;
  };
  readonly taskset: PluginTable | null;
  readonly harness: HarnessTable;
  readonly runtime: RuntimeTable;
  readonly environment: PluginTable;
  readonly roles: Readonly<Record<string, RoleConfig>>;
  readonly sampling: Sampling;
  readonly limits: RolloutLimits;
  readonly timeout: TimeoutConfig;
  readonly retries: RetryConfig;
  /** The whole run: dollars, tokens, milliseconds. Reaching one starts nothing new. */
  readonly budget: {
    readonly cost: number | null;
    readonly tokens: number | null;
    readonly time: number | null;
  };
  readonly gate: {
    /** Rollouts in a row that end with one error code; 0 never stops. */
    readonly stopAfter: number;
    /** A count, or a share in [0, 1] written as a percentage. */
    readonly maxUnscored: { readonly count: number } | { readonly share: number };
    readonly minReward: number | null;
  };
  readonly prices: Readonly<Record<string, Price>>;
  readonly providers: Readonly<
    Record<
      string,
      {
        readonly baseUrl: string;
        readonly apiKeyVar: string | null;
        readonly dialects: readonly string[];
        readonly headers?: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly rewards: Readonly<Record<string, HookConfig>>;
  readonly metrics: Readonly<Record<string, HookConfig>>;
  readonly stops: Readonly<Record<string, HookConfig>>;
  readonly judges: Readonly<
    Record<
      string,
      { readonly model?: string; readonly client?: ClientConfig; readonly prompt?: string }
    >
  >;
  readonly interception: {
    readonly multiplex: number;
    readonly earlyHead: number;
    readonly clientGoneGrace: number;
  };
  /** Of `vf serve`: processes that play; 1 = its own alone. */
  readonly serve: { readonly workers: number };
  /** Milliseconds that cancelling may take before boxes are freed hard. */
  readonly shutdownGrace: number;
}
