import type { Settings, TurnTokens } from '@vf/core';

/** One prompt to go on from. */
export interface SampleRequest {
  readonly model: string;
  readonly promptIds: Int32Array;
  /** Of `promptIds`, from its beginning: a call before has told all that engines tell of them, but of the last. */
  readonly recordedLength: number;
  /** What the run and the agent ask for. */
  readonly settings: Settings;
  /** Ids that end a completion. */
  readonly stopIds: readonly number[];
  /** One more than the largest id that may be sampled; absent: what a call goes on from is not held against it. */
  readonly vocabulary?: number;
  /** Most ids to sample; null: as many as the context holds. */
  readonly room: number | null;
  /** Id of the rollout: routers keep its calls on one replica, whose cache holds its past. */
  readonly session: string;
}

/** What an engine sampled, not yet checked. */
export interface Sample extends Pick<TurnTokens, 'routedExperts' | 'samplingMask' | 'weights'> {
  readonly ids: ArrayLike<number>;
  /** Natural log of the probability that each id was sampled with. */
  readonly logprobs: ArrayLike<number>;
  /** `abort`: the engine gave the call up, and may be asked to go on from here. */
  readonly finish: 'stop' | 'length' | 'abort';
  readonly rawFinish: string;
  /** Prompt ids that the engine had in its cache; null when it does not say. */
  readonly cached: number | null;
}

/** Hears the ids of a completion while they are sampled, in order and each once; what it throws ends the call. */
export type OnIds = (ids: ArrayLike<number>) => void;

/** A server that takes token ids and samples token ids. */
export interface Engine {
  readonly id: EngineId;
  /**
   * Ids that prompt and completion may have together; null when the engine does not say.
   * @throws SendFailed, EngineFailed
   */
  contextLength(model: string, signal: AbortSignal): Promise<number | null>;
  /**
   * @param onIds where given, the engine streams
   * @throws SendFailed when there is no answer, or when it breaks off
   * @throws EngineFailed when the engine refuses, answers with something else than a sample, or cannot tell the
   * probabilities that these settings sample with
   */
  sample(request: SampleRequest, signal: AbortSignal, onIds?: OnIds): Promise<Sample>;
  close(): Promise<void>;
}

export const engineIds = ['vllm', 'sglang', 'llama.cpp'] as const;
export type EngineId = (typeof engineIds)[number];

export interface EngineOptions {
  /** With or without `/v1`. */
  readonly baseUrl: string;
  /** Base URLs of more servers of the same model: a rollout's calls stay on one of them. */
  readonly replicas?: readonly string[];
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** vLLM only: `processed` when it was started with `--logprobs-mode processed_logprobs`. Default `raw`. */
  readonly logprobs?: 'raw' | 'processed';
}
