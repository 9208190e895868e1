import type { z } from 'zod';
import type { Message } from '../message.ts';
import type { ToolSpec } from '../call.ts';
import type { Problem } from '../errors/vf-error.ts';
import type { Log } from './log.ts';
import type { ProgramResult } from './program.ts';
import type { RuntimeApi } from './runtime-api.ts';
import type { TaskMcpServer } from './task-mcp-server.ts';
import type { ToolResult } from './tool.ts';

/** Where the agent finds its model: `url` as the box reaches it, without `/v1`; `bearer` as API key. */
export interface Endpoint {
  readonly url: string;
  /** The same as this process reaches it, for a loop that runs here; absent where `url` is that too. */
  readonly hostUrl?: string;
  /**
   * Opens a connection to it within this process, which costs no socket: Node's `stream.Duplex`, speaking HTTP. The
   * same function for all rollouts on one server.
   */
  readonly connect?: () => object;
  readonly bearer: string;
}

/** What one turn of the agent left behind; evidence, not verdict: the rollout decides the stop condition. */
export interface Segment {
  readonly status: 'completed' | 'failed';
  readonly program?: ProgramResult;
  /** Last words of the agent's own output, for an error message. */
  readonly detail?: string;
  /** What it said, where it asked no model: stands on the trace as its reply. */
  readonly reply?: string;
}

/** An agent at work in one rollout: its program, or the loop that plays it. */
export interface AgentSession {
  /**
   * One user turn, until the agent gives the word back.
   * @throws VfError harness/* when there was no turn at all; how one went is for the segment to say
   */
  turn(prompt: string | readonly Message[], signal: AbortSignal): Promise<Segment>;
  /** Ends what the session started. Idempotent. */
  close(): Promise<void>;
}

/** A tool of the task, for a harness that runs its loop in our process. */
export interface HostTool {
  readonly spec: ToolSpec;
  call(argumentsJson: string, signal: AbortSignal): Promise<ToolResult>;
}

/** The task's tools as a server that the agent reaches: streamable HTTP at `url` as the box sees it, opened by `bearer`. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  readonly bearer: string;
}

/** A folder with a SKILL.md, by its path in the box. */
export interface Skill {
  readonly name: string;
  readonly path: string;
}

/** What a harness is given to open a session with. */
export interface HarnessCtx<Config = {}, Speaks extends string = string> {
  readonly config: Readonly<Config>;
  readonly rolloutId: string;
  readonly runtime: RuntimeApi;
  readonly dialect: Speaks;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly systemPrompt: string | null;
  /** The task's tools as MCP servers, for agents that speak it. */
  readonly mcp: readonly McpServer[];
  /** Servers that the task itself brings, of the transports that the harness takes. */
  readonly taskMcp?: readonly TaskMcpServer[];
  /** The same tools as functions, for loops in our process. */
  readonly tools: readonly HostTool[];
  readonly skills: readonly Skill[];
  /** Extra environment of the agent's program: the run's `harness.env` and `forward_env`, VF_ROLLOUT_ID, VF_DEADLINE. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Performs the taskset's reference solution in the box (of the step that is asked for), or tells the reply that it
   * stands for; absent where the taskset has none.
   */
  readonly reference?: (signal: AbortSignal) => Promise<{ readonly reply: string } | void>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** What a harness can do, asked by the preflight. */
export interface Capabilities {
  readonly mcp?: boolean;
  /** Transports of servers that a task brings (`ctx.taskMcp`). */
  readonly taskMcp?: readonly TaskMcpServer['transport'][];
  /** Takes the task's tools as functions (`ctx.tools`). */
  readonly hostTools?: boolean;
  /** Offers its model tools that only a provider can run. */
  readonly providerTools?: {
    /** What they are, for a sentence: `web search`. */
    readonly what: string;
    /** The setting that leaves them out, as a config says it: `harness.extra_tools = false`. */
    readonly off: string;
  };
  readonly systemPrompt?: 'separate' | 'append' | 'prompt';
  /** A following user turn goes on in the same conversation. */
  readonly resume?: boolean;
  readonly skills?: boolean;
  readonly container?: 'required' | 'preferred' | 'never';
  /** Prompts may be whole message lists, not only text. */
  readonly messages?: boolean;
  /** false: ends well without ever asking a model (a reference solution). Default true. */
  readonly callsModel?: boolean;
  /** Performs the task's reference solution: the taskset must have one. */
  readonly reference?: boolean;
}

/** What `install` is given: the box, before the rollout's clock starts. */
export type InstallCtx<Config = {}> = Pick<
  HarnessCtx<Config>,
  'config' | 'runtime' | 'log' | 'signal'
>;

/** The user's settings of a harness; `env` is the config's `harness.env`, without what the shell forwards. */
export interface HarnessSettings<Config = {}> {
  readonly config: Readonly<Config>;
  readonly env: Readonly<Record<string, string>>;
}

/** A harness as its author writes it, for `defineHarness`. */
export interface HarnessSpec<ConfigInput, Config, Speaks extends string> {
  readonly config?: z.ZodType<Config, ConfigInput>;
  /** Dialect ids in order of preference. */
  readonly speaks: readonly Speaks[] | ((config: Readonly<Config>) => readonly Speaks[]);
  readonly capabilities: Capabilities;
  /** Where they depend on the settings; wins over `capabilities`. */
  capabilitiesOf?(settings: HarnessSettings<NoInfer<Config>>): Capabilities;
  /** What tables, folders and traces call the agent; default: the plugin's id. */
  name?(config: Readonly<Config>): string;
  /** What is wrong with the settings beyond the schema, told before the run. */
  check?(settings: HarnessSettings<NoInfer<Config>>): readonly Problem[];
  /** The version that will run, for the plan and the trace. */
  version?(config: Readonly<Config>): string | null;
  /** Before the rollout's clock starts; cached per machine, runtime and version. */
  install?(ctx: InstallCtx<NoInfer<Config>>): Promise<void>;
  open(ctx: HarnessCtx<NoInfer<Config>, NoInfer<Speaks>>): Promise<AgentSession>;
}

declare const types: unique symbol;
/** A harness as `defineHarness` returns it. */
export interface Harness<Config = any> {
  readonly kind: 'harness';
  readonly specVersion: 1;
  readonly spec: HarnessSpec<any, any, any>;
  readonly [types]?: Config;
}

/** Erased, for the host, which cannot know the types of its config. */
export type AnyHarnessSpec = HarnessSpec<any, any, any>;
