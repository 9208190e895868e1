import type { z } from 'zod';
import type { AssistantMessage, Message } from '../message.ts';
import type { Trace } from '../trace/trace.ts';
import type {
  Box,
  BoxSpec,
  ComposeSet,
  ImageBuild,
  NetworkPolicy,
  Resources,
  RuntimeApi,
} from './runtime.ts';
import type { Log } from './log.ts';
import type { SideChannel, SideModel } from './side-model.ts';
import type { TaskMcpServer } from './task-mcp-server.ts';

/** Limits of one rollout's stages, in milliseconds. */
export interface StageTimeouts {
  readonly boot?: number;
  readonly setup?: number;
  readonly agent?: number;
  readonly finalize?: number;
  readonly scoring?: number;
}

/** Files kept from the box after the rollout. */
export interface Artifact {
  readonly source: string;
  readonly exclude?: readonly string[];
  readonly required?: boolean;
  /** Where it is kept, below the rollout's artifacts; default: its own path. */
  readonly destination?: string;
  /** Of the box's compose set; default: the box itself. */
  readonly service?: string;
}

/** What any row may say beside its author's own fields. */
export interface StandardFields {
  /** Unique in the taskset; default: a hash of the row. */
  key?: string;
  name?: string;
  prompt?: string | readonly Message[];
  systemPrompt?: string;
  image?: string;
  /** In place of `image`: what to build it of. */
  build?: ImageBuild;
  /** Services that run beside the box, which is their `main`. */
  compose?: ComposeSet;
  workdir?: string;
  /** Who the agent and, unless they say otherwise, programs of hooks run as in the box. */
  user?: string | number;
  /** The image's own ENTRYPOINT is started, too; it must end in the command that it is given (`exec "$@"`). */
  runsEntrypoint?: boolean;
  /**
   * Never traced; `${NAME}` takes a secret from where the rollout runs, `${NAME:-text}` has a default, `$${NAME}` stays
   * as `${NAME}`.
   */
  env?: Readonly<Record<string, string>>;
  resources?: Resources;
  timeouts?: StageTimeouts;
  network?: NetworkPolicy;
  artifacts?: readonly (string | Artifact)[];
  /** What `setup` will hand to the agent, told so that one that takes none is refused before the run. */
  brings?: {
    readonly skills?: boolean;
    /** Transports of MCP servers. */
    readonly mcp?: readonly TaskMcpServer['transport'][];
  };
}

/** z.object({}) infers Record<string, never>; it must not swallow the standard fields. */
type Own<T> = string extends keyof T ? {} : T;
/** A row as `load` gives it: the fields of the taskset's own schema, and the standard ones, all optional. */
export type TaskRow<Row> = Row extends unknown
  ? Own<Row> & Omit<StandardFields, keyof Own<Row>>
  : never;
/** A row that was checked, with its key: what hooks and environments see. */
export type Task<Data = {}> = Data extends unknown
  ? Readonly<TaskRow<Data>> & { readonly key: string }
  : never;

/** A schema may narrow a standard field (`prompt: z.string()`), never retype it. */
type Retyped<Row> = string extends keyof Row
  ? never
  : {
      [K in keyof Row & keyof StandardFields]: Row[K] extends StandardFields[K] ? never : K;
    }[keyof Row & keyof StandardFields];
export type NoRetype<Row> = [Retyped<Row>] extends [never]
  ? unknown
  : { data: `the field "${Retyped<Row> & string}" is a standard field with another type` };

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
type Rows<Row> = Iterable<Row> | AsyncIterable<Row> | Promise<Iterable<Row>>;

/** What every hook is given. */
export interface Hook<Data, Config, State> {
  readonly task: Task<Data>;
  readonly config: Readonly<Config>;
  readonly state: State;
  readonly runtime: RuntimeApi;
  readonly trace: Trace;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** A second box with the rollout's labels, freed with it; what is not said is as in the task's own. */
  openBox(
    spec?: Partial<
      Pick<
        BoxSpec,
        'image' | 'build' | 'compose' | 'workdir' | 'env' | 'resources' | 'network' | 'user'
      >
    >,
  ): Promise<Box>;
  /**
   * Copies files and folders of the rollout's box, or of another, to its artifacts now, in place of what is kept there;
   * what is not there is left out. Does nothing where no artifacts are kept.
   */
  keep(artifacts: readonly (string | Artifact)[], from?: Box): Promise<void>;
  /** Another network policy for the rollout's box from now on; the model stays reachable. */
  setNetwork(policy: NetworkPolicy): Promise<void>;
  /** The value of a variable where the rollout runs, masked in logs from now on; undefined when it is not set. */
  secret(name: string): string | undefined;
  /** A judge or simulated user that the taskset declares, as the run has it. @throws VfError for an undeclared one */
  sideModel(declared: SideModel): SideChannel;
}
/** What rewards and metrics are given. */
export interface ScoreHook<Data, Config, State> extends Hook<Data, Config, State> {}
/** `traces`: all attempts of one task, in order of attempt; unscored and failed ones are among them. */
export interface GroupHook<Data, Config> {
  readonly task: Task<Data>;
  readonly config: Readonly<Config>;
  readonly traces: readonly Trace[];
  readonly signal: AbortSignal;
}

/** null: this reward does not apply; a rollout is scored when no reward failed. */
export type Score = number | null;
type Scorer<Ctx> = (ctx: Ctx) => Score | Promise<Score>;
/** `weight` default 1. Higher `priority` runs first (default 0); equal ones run together. */
export type Reward<Ctx> = Scorer<Ctx> | { score: Scorer<Ctx>; weight?: number; priority?: number };

/** A tool of the taskset. `run` gives text or JSON; what it throws goes to the agent, and the rollout goes on. */
export interface Tool<Input, Ctx> {
  description: string;
  input: z.ZodType<Input>;
  timeoutMs?: number;
  run: (input: Input, ctx: Ctx) => unknown;
}
/** Tools by name, each with its own input. */
export type Tools<Inputs, Ctx> = { [Name in keyof Inputs]: Tool<Inputs[Name], Ctx> };
/** A tool whose schema is known only at run time. */
export interface RawTool {
  description: string;
  inputSchema: object;
  timeoutMs?: number;
  run(input: unknown, signal: AbortSignal): unknown;
}

/** What a tool may return instead of plain content: `end` stops the rollout after this result. */
export interface ToolResult {
  readonly content: unknown;
  readonly isError?: boolean;
  readonly end?: { readonly reason: string; readonly rewards?: Readonly<Record<string, number>> };
}

/** Overrides the row's own prompt and tools, for frameworks that tell them only after a reset. */
export interface SetupResult {
  prompt?: string | readonly Message[];
  systemPrompt?: string;
  /** Limit of the first turn in milliseconds, as `NextTurn.timeouts` is of a later one. */
  turnTimeout?: number;
  /** Folders with a SKILL.md, by their paths in the box; a harness that takes none fails the rollout. */
  skills?: readonly { readonly name: string; readonly path: string }[];
  /** MCP servers of the task's own; a harness that takes none of their transport fails the rollout. */
  mcpServers?: readonly TaskMcpServer[];
  tools?: Record<string, RawTool>;
}

/**
 * Another segment of the rollout. `fresh` starts the agent anew; `user` names who speaks. When `timeouts.agent` passes,
 * the agent is ended and `next` is asked again. `runAs` is the user of the box that the agent works as from now on; a
 * change of it needs `fresh`.
 */
export interface NextTurn {
  prompt: string | readonly Message[];
  session: 'resume' | 'fresh';
  timeouts?: StageTimeouts;
  network?: NetworkPolicy;
  user?: string;
  runAs?: string | number;
}

/** Rewrites what the model is told and what it says; nothing returned leaves the message as it is. */
export interface Intercept<Ctx> {
  request?: (message: Message, ctx: Ctx) => Message | void | Promise<Message | void>;
  response?: (
    reply: AssistantMessage,
    ctx: Ctx,
  ) => AssistantMessage | void | Promise<AssistantMessage | void>;
}

/** What the reference solution says, when it is words and not work in the box. */
export type ReferenceReply = string | { readonly reply: string };

/** A taskset as its author writes it, for `defineTaskset`. */
export interface TasksetSpec<Row, Data, ConfigInput, Config, State, Inputs> {
  /** Shown in `vf plugins` and used in folder names; default: the plugin's id. */
  name?: string;
  data?: z.ZodType<Data, Row>;
  config?: z.ZodType<Config, ConfigInput>;
  state?: () => State;
  /** `infinite` makes `num_examples` mandatory. */
  infinite?: boolean;
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
  setup?: (
    ctx: Hook<Data, Config, NoInfer<State>>,
  ) => SetupResult | void | Promise<SetupResult | void>;
  finalize?: (ctx: Hook<Data, Config, NoInfer<State>>) => void | Promise<void>;
  /** Performs the reference solution in the box, or returns the reply that the reference gives. */
  validate?: (
    ctx: Hook<Data, Config, NoInfer<State>>,
  ) => ReferenceReply | void | Promise<ReferenceReply | void>;
  tools?: Tools<Inputs, Hook<Data, Config, NoInfer<State>>>;
  rewards?: Record<string, Reward<ScoreHook<Data, Config, NoInfer<State>>>>;
  groupRewards?: Record<
    string,
    (ctx: GroupHook<Data, Config>) => readonly Score[] | Promise<readonly Score[]>
  >;
  metrics?: Record<
    string,
    (ctx: ScoreHook<Data, Config, NoInfer<State>>) => Score | Promise<Score>
  >;
  /** Judges and users that hooks ask by themselves; one that is a reward, a metric or `next` need not be named. */
  judges?: readonly (SideModel | { readonly judges: readonly SideModel[] })[];
  /** Asked after each turn; the first that answers true ends the rollout and names its stop condition. */
  stops?: Record<string, (ctx: Hook<Data, Config, NoInfer<State>>) => boolean | Promise<boolean>>;
  intercept?: Intercept<Hook<Data, Config, NoInfer<State>>>;
  /** Asked after each segment; null ends the rollout. */
  next?: (ctx: Hook<Data, Config, NoInfer<State>>) => NextTurn | null | Promise<NextTurn | null>;
}

declare const types: unique symbol;
/** A taskset as `defineTaskset` returns it; `spec` is for the host, hooks are called with erased types there. */
export interface Taskset<Row = any, Data = any, Config = any> {
  readonly kind: 'taskset';
  readonly specVersion: 1;
  readonly spec: AnyTasksetSpec;
  readonly [types]?: { row: Row; data: Data; config: Config };
}
export type AnyTasksetSpec = TasksetSpec<any, any, any, any, any, any>;

/** Erased forms for the host, which calls hooks that it cannot know the types of. */
export type AnyTask = Task<any>;
export type AnyHook = Hook<any, any, any>;
export type AnyTool = Tool<any, any>;
export type AnyHookFunction<Result> = (ctx: any) => Result | Promise<Result>;
