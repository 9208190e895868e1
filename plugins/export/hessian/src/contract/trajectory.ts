/** A scored episode of `hessian.trajectory.v1`; one line of its file. */
export interface Trajectory {
  readonly schema_version: typeof schemaVersion;
  readonly episode_id: string;
  readonly task_id: string;
  readonly group_id: string;
  readonly seed: number;
  /** The producer's own claim: real inference, or made data. */
  readonly source_kind: SourceKind;
  readonly policy: Policy;
  readonly harness: HarnessIdentity;
  readonly reward: TrajectoryReward;
  /** In the order of inference. */
  readonly calls: readonly TrajectoryCall[];
}

export const schemaVersion = 'hessian.trajectory.v1';
export const sourceKinds = ['captured', 'fixture'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Revisions are fixed ones: a commit or a digest, no name that moves. */
export interface Policy {
  readonly model_id: string;
  readonly revision: string;
  readonly tokenizer_id: string;
  readonly tokenizer_revision: string;
  /** SHA-256 of the template's text, hex. */
  readonly chat_template_sha256: string;
}

export interface HarnessIdentity {
  readonly name: string;
  readonly version: string;
  readonly revision: string;
}

export interface TrajectoryReward {
  readonly value: number;
  readonly scorer: string;
  readonly scorer_revision: string;
}

export interface TrajectoryCall {
  readonly call_id: string;
  readonly prompt_token_ids: readonly number[];
  readonly response_token_ids: readonly number[];
  readonly response_role: 'assistant';
  /** One for each response token; 1 trains. */
  readonly response_loss_mask: readonly (0 | 1)[];
  readonly finish_reason: FinishReason;
  /** For audit only, never tokenised. */
  readonly context: readonly ContextMessage[];
  /** Natural log, one for each response token. */
  readonly behavior_logprobs?: readonly number[];
}

export const finishReasons = ['stop', 'length', 'tool_calls'] as const;
export type FinishReason = (typeof finishReasons)[number];

export const contextRoles = ['system', 'user', 'assistant', 'tool'] as const;

export interface ContextMessage {
  readonly role: (typeof contextRoles)[number];
  readonly content: string;
}
