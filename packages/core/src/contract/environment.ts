import type { z } from 'zod';
import type { Trace } from '../trace/trace.ts';
import type { RuntimeApi } from './runtime-api.ts';
import type { Task, TaskRow } from './task.ts';

/** One agent's finished work on one task. */
export interface Rollout {
  readonly trace: Trace;
  readonly runtime: RuntimeApi;
}

/** `runtime`: work in another rollout's box; `state`: share its state. */
export interface RunOptions {
  runtime?: RuntimeApi;
  state?: object;
}

/** A conversation led turn by turn. `say` gives the agent's reply, null when it had none. */
export interface Conversation {
  say(text: string): Promise<string | null>;
  end(): Promise<Rollout>;
}

/** A role's agent. Failures of a rollout are on its trace; only cancellation throws. */
export interface Agent<Data> {
  run(task: TaskRow<Data> | Task<Data>, options?: RunOptions): Promise<Rollout>;
  open(task: TaskRow<Data> | Task<Data>, options?: RunOptions): Promise<Conversation>;
}

/** Defaults: trainable and scored. Only tasks of the run's taskset are scored by it. */
export interface RoleSpec {
  trainable?: boolean;
  scored?: boolean;
  summary?: string;
}

/** What `play` is given: a task, and an agent for each role. */
export interface PlayCtx<Roles, Config, Data> {
  readonly task: Task<Data>;
  readonly agents: { readonly [R in keyof Roles]: Agent<any> };
  readonly config: Readonly<Config>;
  readonly signal: AbortSignal;
  /** `weight` default 1. */
  reward(rollout: Rollout, name: string, score: number | null, weight?: number): void;
  /** This rollout's reward is the episode's; without a choice it is the mean of all scored ones. */
  choose(rollout: Rollout): void;
}

/** An environment as its author writes it, for `defineEnvironment`: its roles, and one function that plays an episode. */
export interface EnvironmentSpec<
  Roles extends Record<string, RoleSpec>,
  ConfigInput,
  Config,
  Data,
> {
  config?: z.ZodType<Config, ConfigInput>;
  data?: z.ZodType<Data, any>;
  roles: Roles;
  play(ctx: PlayCtx<Roles, NoInfer<Config>, NoInfer<Data>>): Promise<void>;
}

declare const types: unique symbol;
/** An environment as `defineEnvironment` returns it. */
export interface Environment<Config = any> {
  readonly kind: 'environment';
  readonly specVersion: 1;
  readonly spec: EnvironmentSpec<any, any, any, any>;
  readonly [types]?: Config;
}

/** Erased forms for the host, which cannot know the types of roles, config and rows. */
export type AnyEnvironmentSpec = EnvironmentSpec<any, any, any, any>;
export type AnyAgent = Agent<any>;
