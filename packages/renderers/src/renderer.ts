import type { Message, ToolSpec } from '@vf/core';
import type { Follower } from './live/follow.ts';
import type { Parsed } from './parsed.ts';
import type { Rendered } from './rendered.ts';

/**
 * When a bridge may keep what a template would drop from past turns: `all` always, `tool_cycle` until the next user
 * message, `template` never.
 */
export type Retention = 'all' | 'tool_cycle' | 'template';

/** Settings of a renderer; fixed for its life, since they decide what a prompt looks like. */
export interface RendererOptions {
  /** Does the generation prompt ask for reasoning? Default: the model's own. */
  readonly thinking?: boolean;
  /** Keep the reasoning of past turns, where the family's template can be asked to. */
  readonly keepThinking?: boolean;
  /** Overrules what follows from the family and `thinking`. */
  readonly retention?: Retention;
  /** The date that some templates print. Default: the template's own, or today for gpt-oss. */
  readonly date?: Date;
  /** How hard gpt-oss is asked to think. Default `medium`. */
  readonly effort?: 'low' | 'medium' | 'high';
}

export interface RenderRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** End with the header of the reply to sample. Default true. */
  readonly generationPrompt?: boolean;
}

export interface BridgeRequest {
  readonly previous: { readonly promptIds: Int32Array; readonly completionIds: Int32Array };
  /** The whole conversation; `messages[from]` is the first one that `previous` does not hold. */
  readonly messages: readonly Message[];
  readonly from: number;
  readonly tools?: readonly ToolSpec[];
}

/** Turns messages into a model family's tokens and back. */
export interface Renderer {
  readonly family: string;
  readonly retention: Retention;
  /** SHA-256, hex: of the template's text, or of the family, its version and its options where the template is code. */
  readonly templateSha256: string;
  /** What this renderer cannot do, for whoever shows it. */
  readonly limits: readonly string[];
  /** Ids that end a completion, for the engine. */
  readonly stopIds: readonly number[];
  /**
   * The prompt of a conversation.
   * @throws VfError `misfit/not_renderable` for images, native parts and tools that are no functions
   */
  render(request: RenderRequest): Rendered;
  /**
   * The message in a completion, stop token or not. Pure; never throws on ids of the vocabulary.
   * @param prompt the ids it was sampled behind, which show whether they opened the reasoning; without them as the
   * renderer's own generation prompt does
   */
  parse(
    completionIds: ArrayLike<number>,
    tools?: readonly ToolSpec[],
    prompt?: ArrayLike<number>,
  ): Parsed;
  /** Follows a reply while it is sampled. @param prompt the ids in front of it, as for `parse` */
  follow(prompt?: ArrayLike<number>): Follower;
  /**
   * The next prompt: what was sent and sampled, then the new messages alone. Costs by the new messages; spans,
   * message indices (relative to `from`) and masks say nothing about the old part (−1 and 0).
   * Null where a bridge would say what a full render does not: render in full then, and let the tokens decide.
   */
  bridge(request: BridgeRequest): Rendered | null;
}
