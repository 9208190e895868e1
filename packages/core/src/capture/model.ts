import type { Finish, Settings, ToolSpec, Usage } from '../call.ts';
import type { TurnTokens } from '../contract/turn-tokens.ts';
import type { AssistantMessage, Message } from '../message.ts';

/** A model call as a loop makes it: the whole conversation so far. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** Sampling and the model's name, as far as the loop says them. */
  readonly settings?: Partial<Settings>;
}

/** What came of it. What is absent was not told, and is not made up. */
export interface ModelReply {
  /** As it was sampled. */
  readonly message: AssistantMessage;
  /** As the loop got it, where that is something else: such a reply never trains. */
  readonly told?: AssistantMessage;
  /** The prompt as the model saw it, where that is something else: one for each of the request's messages. */
  readonly sent?: readonly Message[];
  readonly finish?: Finish;
  readonly usage?: Usage;
  /** US dollars. */
  readonly cost?: number;
  /** The model that answered. */
  readonly model?: string;
  /** The provider's id of the reply. */
  readonly id?: string;
  readonly tokens?: ReplyTokens;
}

/** Exact ids of a call, as the engine saw and sampled them; text tokenised afterwards is not that. See `TurnTokens`. */
export interface ReplyTokens extends Pick<
  TurnTokens,
  'isContent' | 'space' | 'routedExperts' | 'samplingMask' | 'weights' | 'origin'
> {
  readonly promptIds: ArrayLike<number>;
  readonly completionIds: ArrayLike<number>;
  /** One for each completion id, natural log; absent: the engine told none. */
  readonly logprobs?: ArrayLike<number>;
  /** Absent: which prompt tokens belong to which message is not known. */
  readonly spans?: TurnTokens['spans'];
}

/** A model that takes and gives vf's own form. */
export type PlainModel = (request: ModelRequest, signal?: AbortSignal) => Promise<ModelReply>;

/** How a model of any other form is read: what goes in before each call, what came out behind it. */
export interface ModelForm<Args extends readonly unknown[], Result> {
  request(...args: Args): ModelRequest;
  reply(result: Result): ModelReply;
  /** Is `said` the sampled reply in the loop's own words? Default: by text, names and arguments, without the reasoning. */
  restates?(sampled: AssistantMessage, said: AssistantMessage): boolean;
}
