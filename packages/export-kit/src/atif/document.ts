/** A trajectory document of `ATIF-v1.7`. Unknown fields are refused everywhere but in `extra`; no field is null. */
export interface Trajectory {
  readonly schema_version: 'ATIF-v1.7';
  readonly session_id?: string;
  readonly trajectory_id: string;
  readonly agent: AtifAgent;
  readonly steps: readonly Step[];
  readonly final_metrics?: {
    readonly total_prompt_tokens: number;
    readonly total_completion_tokens: number;
    readonly total_cached_tokens: number;
    readonly total_cost_usd?: number;
    readonly total_steps: number;
  };
  readonly subagent_trajectories?: readonly Trajectory[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface AtifAgent {
  readonly name: string;
  readonly version: string;
  readonly model_name?: string;
  readonly tool_definitions?: readonly object[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Step {
  readonly step_id: number;
  readonly timestamp?: string;
  readonly source: 'system' | 'user' | 'agent';
  readonly message: AtifContent;
  readonly model_name?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly AtifToolCall[];
  readonly observation?: { readonly results: readonly ObservationResult[] };
  readonly metrics?: Metrics;
  readonly llm_call_count?: number;
  readonly is_copied_context?: true;
}

export interface AtifToolCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ObservationResult {
  readonly source_call_id?: string;
  readonly content: AtifContent;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type AtifContent = string | readonly ContentPart[];

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly media_type: string; readonly path: string };
    };

export interface Metrics {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly cached_tokens?: number;
  readonly cost_usd?: number;
  readonly prompt_token_ids?: readonly number[];
  readonly completion_token_ids?: readonly number[];
  readonly logprobs?: readonly number[];
}
