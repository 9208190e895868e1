import type { Call, CallOptions, Edit, Message, Settings, ToolSpec } from '@vf/core';
import type { Committed, Position } from '@vf/core/trace';

/** A message of the prompt that the graph does not hold yet. */
export interface TailMessage {
  readonly said: Message;
  /** False outside the growing array (a `system` key, `instructions`): no item there could carry a rewrite. */
  readonly rewritable: boolean;
}

/** A request as it goes upstream. */
export interface EditedRequest {
  /** The very chunks that were read where nothing changes. */
  readonly body: readonly Uint8Array[];
  readonly path: string;
  /** Edits of settings, for `ReaderOptions.edits`; rewrites of messages are not among them. */
  readonly edits: readonly Edit[];
  /** What the edited request asks for. */
  readonly settings: Settings;
  /**
   * The canonical form with each message as the model sees it. Parses the whole body, unless what is recorded may stand
   * as recorded. A request that continues an earlier reply on the provider's side has the recorded conversation in front.
   */
  call(options?: CallOptions): Call;
}

/** What one request holds that its rollout had not sent before. */
export interface ReadRequest {
  /** False when the body is no JSON object, or nested too deep to be recorded; it is then relayed as it is. */
  readonly parsed: boolean;
  /** The parsed request with the growing array emptied; shared by requests with the same bytes around it. */
  readonly top: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly tools: readonly ToolSpec[];
  /** After the last message of the prompt that is recorded already. */
  readonly at: Position;
  /** Messages after `at`, in order: what to rewrite and to commit. */
  readonly tail: readonly TailMessage[];
  /** Messages of the edited request's `call()` that are recorded already. */
  readonly known: number;
  /** The earlier reply that this request continues on the provider's side; `node` is null when it is unknown here. */
  readonly continues: { readonly id: string; readonly node: number | null } | null;
  /**
   * The request with `want` and the rewrites spliced in: those remembered on nodes, and `rewrites`, new ones by index
   * of `tail`. Rewrites of messages that are not rewritable are ignored.
   */
  edited(want: Partial<Settings>, rewrites?: ReadonlyMap<number, Message>): EditedRequest;
  /**
   * Remembers this request, so that the next one is compared with it. Called after the commit of its prompt
   * (`prompt`: node of each tail message); never calling it costs speed only. After a fork of what was recorded
   * before, the next request is read from its start.
   */
  settle(committed: Pick<Committed, 'prompt' | 'forked'>): void;
}
