import type { AssistantMessage, Message } from '../message.ts';
import type { Trace } from '../trace/trace.ts';
import type { Box, BoxSpec, NetworkPolicy } from './box.ts';
import type { Log } from './log.ts';
import type { RuntimeApi } from './runtime-api.ts';
import type { SideChannel, SideModel } from './side-model.ts';
import type { TaskMcpServer } from './task-mcp-server.ts';
import type { Artifact, StageTimeouts, Task } from './task.ts';
import type { RawTool } from './tool.ts';

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
