import type { Sampling } from '../call.ts';
import type { Message } from '../message.ts';

/** Where a side model is asked; with nothing said, at the run's own provider. */
export interface SideClient {
  /** `openai`, or an entry of the run's `providers`. */
  readonly provider?: string;
  readonly baseUrl?: string;
  /** Names the variable that holds the key. */
  readonly apiKeyVar?: string;
  /** Dialect ids in order of preference. */
  readonly dialects?: readonly string[];
}

/**
 * A model that hooks ask beside the agent: a judge, or a simulated user. A run's config may give another model,
 * client and prompt under `judges.NAME`.
 */
export interface SideModel {
  readonly kind: 'judge' | 'user';
  /** Unique in the run. */
  readonly name: string;
  /** Must come from the config where it is absent. */
  readonly model?: string;
  readonly client?: SideClient;
  readonly sampling?: Sampling;
  /** Its instructions, which the config's `prompt` replaces. */
  readonly prompt: string;
  /** What else decides its answers (votes, scale, schema), as JSON: runs that differ in it measured something else. */
  readonly measures?: Readonly<Record<string, unknown>>;
  /** What is wrong with a prompt from the config; null when it will do. */
  checkPrompt?(prompt: string): string | null;
}

/** One question to a side model. */
export interface SideQuestion {
  readonly messages: readonly Message[];
  /** What the reply must obey: asked of the provider in its own way, where it has one. */
  readonly format?: { readonly name: string; readonly schema: unknown; readonly strict?: boolean };
  /** What is wrong with a reply, told to the model for one more try; null when it will do. */
  check(reply: string): string | null;
  /** Which of several votes: each is a sample of its own. Default 0. */
  readonly vote?: number;
  /** An answer is kept with the run: what was asked of the same model in the same words is not asked again. */
  readonly cached: boolean;
}

/** A side model as the run has it. */
export interface SideChannel {
  /** The config's, else the author's own. */
  readonly prompt: string;
  readonly model: string;
  /**
   * Waits, retries and repairs as needed; what it costs goes on the trace.
   * @throws VfError scoring/judge_failed for a judge that gives no usable answer; for a user taskset/user_failed, or
   *   the provider's own failure
   */
  ask(question: SideQuestion): Promise<string>;
}
