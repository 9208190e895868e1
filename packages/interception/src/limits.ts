/** Bounds of the server; all times in milliseconds. */
export interface InterceptionLimits {
  /** Rollouts on one listener before a further one opens. */
  readonly rolloutsPerServer: number;
  /** Bytes of a request body once unpacked, and of a reply in one piece. */
  readonly bodyBytes: number;
  /** Bytes of an error's body that are read; a longer one is not passed on, the agent hears its status and start. */
  readonly errorBytes: number;
  /** How long an idle socket of an agent is kept. */
  readonly idleSocket: number;
  /** How long the head of a streamed reply waits for the first event. */
  readonly earlyHead: number;
  /** Silence after which a streamed reply gets a comment. */
  readonly keepAlive: number;
  /** How long a call goes on without its agent, so that a retry can join it. */
  readonly clientGoneGrace: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** A provider that asks for a longer pause than this is not asked again; the agent hears it. */
  readonly longestRetryAfter: number;
  /** How long `close` waits for calls under way. */
  readonly drain: number;
  /** Bytes of a reply in progress that are kept for a retry to join; a longer one cannot be joined. */
  readonly joinableReply: number;
  /** Bytes of delivered replies that one rollout keeps for late retries, and for how long. */
  readonly keptReplies: number;
  readonly keptRepliesFor: number;
}

/** 20 s: some agents send again after a silent minute. 256 MiB: prompts with images. 120 s: agents pause between turns. */
export const defaultLimits: InterceptionLimits = {
  rolloutsPerServer: 32,
  bodyBytes: 256 * 1024 * 1024,
  errorBytes: 1024 * 1024,
  idleSocket: 120_000,
  earlyHead: 20_000,
  keepAlive: 5_000,
  clientGoneGrace: 2_000,
  retries: 3,
  longestRetryAfter: 60_000,
  drain: 5_000,
  joinableReply: 8 * 1024 * 1024,
  keptReplies: 256 * 1024,
  keptRepliesFor: 600_000,
};
