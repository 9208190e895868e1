import type { z } from 'zod';
import type {
  GroupHook,
  Hook,
  Intercept,
  NextTurn,
  ReferenceReply,
  Reward,
  Score,
  ScoreHook,
  SetupResult,
} from './hook.ts';
import type { SideModel } from './side-model.ts';
import type { Task, TaskRow } from './task.ts';
import type { Tool, Tools } from './tool.ts';

/** A taskset as its author writes it, for `defineTaskset`. */
export interface TasksetSpec<Row, Data, ConfigInput, Config, State, Inputs> {
  /** Shown in `vf plugins` and used in folder names; default: the plugin's id. */
  name?: string;
  /** Checks the fields that rows have beside the standard ones. */
  data?: z.ZodType<Data, Row>;
  /** Options, as the user's config gives them. */
  config?: z.ZodType<Config, ConfigInput>;
  /** Made for each rollout; its tools, hooks and scoring share it. */
  state?: () => State;
  /** `infinite` makes `num_examples` mandatory. */
  infinite?: boolean;
  /** The rows; read no further than a run needs. */
  load(a: { config: Config; signal: AbortSignal }): Rows<TaskRow<NoInfer<Row>>>;
  /**
   * `resume: false`: every turn that `next` asks for is a fresh one. `boxToScore`: rewards look into the box, so stored
   * traces cannot be scored again.
   */
  needs?: {
    tools?: boolean;
    container?: boolean;
    network?: boolean;
    resume?: boolean;
    boxToScore?: boolean;
  };
  /** Before the agent: prepares the box. What it throws is the rollout's error, no score. */
  setup?: (
    ctx: Hook<Data, Config, NoInfer<State>>,
  ) => SetupResult | void | Promise<SetupResult | void>;
  /** After the agent: collects what scoring needs. */
  finalize?: (ctx: Hook<Data, Config, NoInfer<State>>) => void | Promise<void>;
  /** Performs the reference solution in the box, or returns the reply that the reference gives. */
  validate?: (
    ctx: Hook<Data, Config, NoInfer<State>>,
  ) => ReferenceReply | void | Promise<ReferenceReply | void>;
  /** What the agent may call while it works. */
  tools?: Tools<Inputs, Hook<Data, Config, NoInfer<State>>>;
  /** The weighted sum is the rollout's reward. One that throws leaves the rollout without a score, never with 0. */
  rewards?: Record<string, Reward<ScoreHook<Data, Config, NoInfer<State>>>>;
  /** Scores all attempts at a task together, one for each in their order. */
  groupRewards?: Record<
    string,
    (ctx: GroupHook<Data, Config>) => readonly Score[] | Promise<readonly Score[]>
  >;
  /** Numbers that are told and do not count. */
  metrics?: Record<
    string,
    (ctx: ScoreHook<Data, Config, NoInfer<State>>) => Score | Promise<Score>
  >;
  /** Judges and users that hooks ask by themselves; one that is a reward, a metric or `next` need not be named. */
  judges?: readonly (SideModel | { readonly judges: readonly SideModel[] })[];
  /** Asked after each turn; the first that answers true ends the rollout and names its stop condition. */
  stops?: Record<string, (ctx: Hook<Data, Config, NoInfer<State>>) => boolean | Promise<boolean>>;
  /** Rewrites what the agent sends, or what it is answered. */
  intercept?: Intercept<Hook<Data, Config, NoInfer<State>>>;
  /** Asked after each segment; null ends the rollout. */
  next?: (ctx: Hook<Data, Config, NoInfer<State>>) => NextTurn | null | Promise<NextTurn | null>;
}

type Rows<Row> = Iterable<Row> | AsyncIterable<Row> | Promise<Iterable<Row>>;

/**
 * Takes any rows, and so checks nothing: it has TypeScript keep a literal of a row ('easy') as narrow
 * as the schema wants it. (Not in an async generator: there it needs `as const`.)
 */
export interface KeepsLiterals<Row, Config, Kept> {
  load(a: {
    config: Config;
    signal: AbortSignal;
  }): Rows<{ [K in keyof Row]: Row[K] | KeptIn<Kept> } | object>;
}

type KeptIn<Kept> = Kept | readonly KeptIn<Kept>[] | { readonly [key: string]: KeptIn<Kept> };

declare const types: unique symbol;
/** A taskset as `defineTaskset` returns it; `spec` is for the host, hooks are called with erased types there. */
export interface Taskset<Row = any, Data = any, Config = any> {
  readonly kind: 'taskset';
  readonly specVersion: 1;
  readonly spec: AnyTasksetSpec;
  readonly [types]?: { row: Row; data: Data; config: Config };
}

/** Erased forms for the host, which calls hooks that it cannot know the types of. */
export type AnyTasksetSpec = TasksetSpec<any, any, any, any, any, any>;
export type AnyTask = Task<any>;
export type AnyHook = Hook<any, any, any>;
export type AnyTool = Tool<any, any>;
export type AnyHookFunction<Result> = (ctx: any) => Result | Promise<Result>;
