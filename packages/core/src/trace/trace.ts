import type { Settings, ToolSpec, Usage } from '../call.ts';
import type { Message } from '../message.ts';
import { textOf } from '../message.ts';
import { branchTo, branchesOf, lastReplyOn, mainLeaf } from './branch.ts';
import type { Branch } from './branch.ts';
import { MessageGraph } from './graph.ts';
import type { ModelCall, ServedToolCall } from './model-call.ts';

/** The task as it was given; `data` is the row, without `env`. */
export interface TraceTask {
  /** Name of the taskset. */
  readonly type: string;
  readonly key: string;
  /** SHA-256 of the row, hex. */
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Who worked on it, and with what. `config` holds no secrets. */
export interface TraceAgent {
  readonly name: string;
  readonly trainable: boolean;
  readonly model: string;
  readonly harness: {
    readonly id: string;
    readonly version: string | null;
    readonly config: Readonly<Record<string, unknown>>;
  };
  readonly runtime: { readonly id: string; readonly config: Readonly<Record<string, unknown>> };
  readonly sampling: Partial<Settings>;
  readonly limits: RolloutLimits;
}

/** Stop conditions by size; an absent one does not apply. Tokens count calls of all branches once. */
export interface RolloutLimits {
  readonly maxTurns?: number;
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly maxTotalTokens?: number;
  /** US dollars. */
  readonly maxCost?: number;
}

/** A score that was given, and what it counts in the sum. */
export interface RewardRecord {
  readonly score: number;
  readonly weight: number;
}

/** A call outside the graph, or the sum of an earlier try's. */
export interface ExtraUsage extends Usage {
  /** The judge or simulated user that was asked. */
  readonly by?: string;
  /** The model that answered. */
  readonly model?: string;
}

/** `type` is the error code; `phase` the stage it struck in; `attempt` the try, from 1. */
export interface TraceError {
  readonly type: string;
  readonly message: string;
  readonly status?: number;
  readonly phase?: Stage;
  readonly attempt?: number;
  readonly stack?: string;
}

/** What a rollout goes through, in this order. */
export const stages = ['boot', 'setup', 'agent', 'finalize', 'scoring'] as const;
export type Stage = (typeof stages)[number];

/** Unix seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** When the rollout began (Unix seconds) and each stage that it came to. */
export interface Timing {
  start: number;
  boot?: Span;
  setup?: Span;
  /** `model`: seconds with a call under way; `harness`: the rest. */
  agent?: Span & { readonly model: number; readonly harness: number };
  finalize?: Span;
  scoring?: Span;
}

/** What setup told the agent instead of the row's own words. */
export interface EffectiveTask {
  readonly prompt?: string | readonly Message[];
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
}

/** What one agent did on one task, and what it cost. */
export class Trace {
  readonly id: string;
  readonly task: TraceTask;
  readonly agent: TraceAgent;
  readonly graph: MessageGraph;
  readonly calls: ModelCall[] = [];
  readonly toolCalls: ServedToolCall[] = [];
  /** null: scoring of this reward did not run or failed. */
  readonly rewards: Record<string, RewardRecord | null> = {};
  readonly metrics: Record<string, number | null> = {};
  readonly info: Record<string, unknown> = {};
  /** Judges, simulated users and other calls outside the graph. */
  readonly extraUsage: ExtraUsage[] = [];
  /** Oldest first, over all attempts. */
  readonly errors: TraceError[] = [];
  readonly timing: Timing;
  effectiveTask: EffectiveTask | null = null;
  stopCondition: string | null = null;
  isCompleted = false;
  /** The agent was done and every reward has a score. */
  ok = false;
  isTimeout = false;
  /** What the agent told its user, when that is not the last sampled message. */
  rootReply: string | null = null;
  /** Leaf of the main branch when the harness knows better than the rule. */
  mainLeaf: number | null = null;
  /** Fields of a record that vf does not know, kept for the round trip. */
  unknown: Readonly<Record<string, unknown>> = {};

  constructor(init: {
    id: string;
    task: TraceTask;
    agent: TraceAgent;
    start: number;
    graph?: MessageGraph;
  }) {
    this.id = init.id;
    this.task = init.task;
    this.agent = init.agent;
    this.graph = init.graph ?? new MessageGraph();
    this.timing = { start: init.start };
  }

  get branches(): Branch[] {
    return branchesOf(this.graph);
  }

  /** Messages of the main branch; empty before the first turn. */
  get messages(): readonly Message[] {
    const leaf = this.mainLeaf ?? mainLeaf(this.graph, this.#promptText());
    return leaf === null ? [] : branchTo(this.graph, leaf).messages;
  }

  /** Text of the agent's last reply on the main branch; null when there is none. */
  get lastReply(): string | null {
    if (this.rootReply !== null) return this.rootReply;
    return lastReplyOn({ messages: this.messages })?.content ?? null;
  }

  get turns(): number {
    return this.graph.nodes.reduce((count, node) => count + Number(node.sampled), 0);
  }

  /** Weighted sum of the rewards that apply; null when none does, scoring did not run, or one of them failed. */
  get reward(): number | null {
    const records = Object.values(this.rewards).filter((record) => record !== null);
    if (!this.ok || records.length === 0) return null;
    return records.reduce((sum, { score, weight }) => sum + score * weight, 0);
  }

  /** Tokens and dollars of all calls; `cost` is absent when a call's is unknown. */
  get usage(): Usage {
    return sumUsage(
      this.calls.flatMap((call) => (call.usage === null ? [] : withCost(call.usage, call.cost))),
    );
  }

  get isTruncated(): boolean {
    if (this.stopCondition !== null && truncatingStops.has(this.stopCondition)) return true;
    return this.calls.findLast((call) => call.error === null)?.finish === 'length';
  }

  #promptText(): string | null {
    const prompt = this.effectiveTask?.prompt ?? this.task.data['prompt'];
    if (typeof prompt === 'string') return prompt;
    if (!Array.isArray(prompt)) return null;
    const user = (prompt as readonly Message[]).findLast((message) => message.role === 'user');
    return user === undefined ? null : textOf(user.content);
  }
}

/** Stops that cut a rollout short. */
export const truncatingStops: ReadonlySet<string> = new Set([
  'max_turns',
  'max_input_tokens',
  'max_output_tokens',
  'max_total_tokens',
  'max_cost',
  'context_length',
  'compaction_failed',
]);

function withCost(usage: Usage, cost: number | null): Usage {
  return cost === null ? usage : { ...usage, cost };
}

/** Adds usages up; `cost` only when each has one. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (field: keyof Usage): number =>
    usages.reduce((total, usage) => total + (usage[field] ?? 0), 0);
  const isPriced = usages.length > 0 && usages.every((usage) => usage.cost !== undefined);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedInputTokens: sum('cachedInputTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    reasoningTokens: sum('reasoningTokens'),
    ...(isPriced ? { cost: sum('cost') } : {}),
  };
}
