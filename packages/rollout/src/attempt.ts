import type { Box, AnyHook, Message, NetworkPolicy, NextTurn, SetupResult, Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { ErrorCode, Stage } from '@vf/core';
import { RunningAgent } from './agent.ts';
import { keepArtifacts, noteKept } from './artifacts.ts';
import type { AttemptInit } from './attempt-init.ts';
import { checkSetup, effectiveTask, refuseUntaken } from './check-setup.ts';
import { boxSpecOf } from './box-spec.ts';
import { giveReward } from './given-rewards.ts';
import { hookCtx } from './hook-ctx.ts';
import { hostTools, rawHostTools } from './host-tools.ts';
import { modelSeconds } from './model-time.ts';
import { judgeTimeout } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { TasksetPlan } from './plan.ts';
import { score } from './scoring.ts';
import { StageTimeout, runStage } from './stage.ts';
import type { StageOptions } from './stage.ts';
import { abortAfter } from './time-limit.ts';
import { addTokenCounts } from './token-counts.ts';
import { traceError } from './trace-error.ts';
import { within } from './within.ts';

/** One try at one rollout: boot, setup, agent, finalize, score. Each method is one stage; any may throw a VfError. */
export class Attempt {
  readonly #init: AttemptInit;
  readonly #state: object;
  #box: Box | null;
  #setup: SetupResult = {};
  #agent: RunningAgent | null = null;
  #hasAsked = false;
  #agentStart = 0;
  #phase: Stage = 'boot';
  #isFirstTurn = true;
  #hookCtx: AnyHook | null = null;

  constructor(init: AttemptInit) {
    this.#init = init;
    this.#box = init.box ?? null;
    this.#state = init.state ?? (init.taskset?.spec.state?.() as object | undefined) ?? {};
  }

  /** The stage it is in, or was in when it failed. */
  get phase(): Stage {
    return this.#phase;
  }

  /** null before it was provisioned. */
  get box(): Box | null {
    return this.#box;
  }

  /** The prompt of the first turn: what setup told, else the row's own. */
  get prompt(): string | readonly Message[] {
    return this.#setup.prompt ?? this.#init.task.task.prompt ?? '';
  }

  /** Provisions the box and installs the agent in it. */
  async boot(): Promise<void> {
    const { role, task, trace, boxes, services } = this.#init;
    await this.#stage('boot', 'runtime/boot_failed', async (signal) => {
      this.#box ??= await boxes.open(role, boxSpecOf(task, services), trace.id, services, signal);
      const { spec, config } = role.harness;
      await spec.install?.({ config, runtime: this.#box, log: services.log(trace.id), signal });
    });
  }

  async setup(): Promise<void> {
    const { taskset, trace } = this.#init;
    await this.#stage('setup', 'taskset/setup_failed', async (signal) => {
      this.#setup = checkSetup((await taskset?.spec.setup?.(this.#hooked(signal))) ?? {});
      refuseUntaken(this.#setup, this.#init.role);
    });
    trace.effectiveTask = effectiveTask(this.#setup);
  }

  /** The agent's stage as a whole: the first turn and all that `next` asks for. */
  async work(): Promise<void> {
    const { trace } = this.#init;
    this.#enter('agent');
    const limitMs = this.#limit('agent');
    this.#beginAgent(limitMs);
    let isLate = false;
    try {
      await runStage('agent', this.#stageOptions(limitMs, 'harness/failed'), (signal) =>
        this.#segments(signal),
      );
      trace.stopCondition ??= 'agent_completed';
    } catch (error) {
      if (!(error instanceof StageTimeout)) throw error;
      isLate = true;
    } finally {
      await this.endAgent();
    }
    if (!isLate) return;
    const failure = this.#judgeTimeout();
    if (failure !== null) throw failure;
    trace.stopCondition = 'agent_timeout';
    trace.isTimeout = true;
  }

  /** Opens the agent for a conversation that an environment leads. */
  begin(): void {
    this.#enter('agent');
    this.#beginAgent(undefined);
  }

  /**
   * One user turn.
   * @returns the reply, null when there is none; the stop condition is on the trace once something ended the rollout
   * @throws VfError when the segment failed
   */
  async say(
    prompt: string | readonly Message[],
    signal: AbortSignal,
    session: NextTurn['session'] = 'resume',
  ): Promise<string | null> {
    const { trace } = this.#init;
    const outcome = await this.#runningAgent().turn(
      prompt,
      this.#isFirstTurn ? 'resume' : session,
      signal,
    );
    this.#isFirstTurn = false;
    settle(trace, outcome);
    return trace.lastReply;
  }

  /** Closes the agent and notes how long it and the model took. */
  async endAgent(): Promise<void> {
    const { trace, services } = this.#init;
    const agent = this.#agent;
    this.#agent = null;
    if (agent === null) return;
    await agent.close();
    this.#hasAsked ||= agent.hasAsked;
    const end = services.clock.now() / 1000;
    const model = modelSeconds(trace.calls);
    const start = this.#agentStart;
    trace.timing.agent = { start, end, model, harness: Math.max(0, end - start - model) };
  }

  /** The taskset's last look at the box, then the files that the row wants kept. */
  async finalize(): Promise<void> {
    const { taskset, task, trace, services } = this.#init;
    const { artifacts = [] } = task.task;
    await this.#stage('finalize', 'taskset/hook_failed', async (signal) => {
      await this.#openBox().intact?.(signal);
      await taskset?.spec.finalize?.(this.#hooked(signal));
      const dir = artifacts.length === 0 ? null : services.artifactDir(trace.id);
      if (dir === null) return;
      const log = services.log(trace.id);
      noteKept(trace, await keepArtifacts(artifacts, this.#openBox(), dir, signal), log);
    });
  }

  /** @throws VfError of the first reward or metric that failed (the others are on the trace), or of a box not whole */
  async score(): Promise<void> {
    const { taskset, role, trace, signal } = this.#init;
    addTokenCounts(trace);
    if (taskset === null || !role.scored) return;
    takeBack(taskset, trace);
    let scoring: ReturnType<typeof score> | null = null;
    try {
      await this.#stage('scoring', 'scoring/hook_failed', async (stageSignal) => {
        scoring = score(taskset, trace, this.#hooked(stageSignal));
        const [first, ...others] = await scoring;
        await this.#openBox()
          .intact?.(stageSignal)
          .catch((error: unknown) => {
            // What was judged without a part of the box says nothing of the agent.
            takeBack(taskset, trace);
            throw error;
          });
        trace.errors.push(...others.map((error) => traceError(error, 'scoring')));
        if (first !== undefined) throw first;
      });
    } catch (error) {
      await lastWords(scoring, trace, signal);
      throw error;
    }
  }

  /** What hooks of the taskset are given; the same to all that run under one signal. */
  #hooked(signal: AbortSignal): AnyHook {
    if (this.#hookCtx?.signal !== signal || this.#hookCtx.runtime !== this.#box)
      this.#hookCtx = hookCtx(this.#init, {
        state: this.#state,
        box: this.#openBox(),
        setNetwork: (policy) => this.#setNetwork(policy, signal),
        signal,
      });
    return this.#hookCtx;
  }

  #openBox(): Box {
    if (this.#box === null) throw new VfError('internal/unexpected', 'the rollout has no box yet');
    return this.#box;
  }

  /** The model stays reachable whatever the policy says. */
  #setNetwork(policy: NetworkPolicy, signal: AbortSignal): Promise<void> {
    return this.#openBox().setNetwork(policy, this.#agent?.routes ?? [], signal);
  }

  async #segments(signal: AbortSignal): Promise<void> {
    const { taskset, trace } = this.#init;
    const first = { prompt: this.prompt, session: 'resume' } as const;
    let isLate = await this.#turn(first, this.#setup.turnTimeout, signal);
    while (trace.stopCondition === null) {
      const turn = await within(taskset?.spec.next?.(this.#hooked(signal)) ?? null, signal);
      if (turn === null) {
        if (isLate) trace.stopCondition = 'agent_timeout';
        return;
      }
      if (turn.network !== undefined) await this.#setNetwork(turn.network, signal);
      if (turn.runAs !== undefined) this.#runningAgent().runAs(turn.runAs);
      isLate = await this.#turn(turn, turn.timeouts?.agent, signal);
    }
  }

  /** A turn with a limit of its own, in milliseconds. @returns whether it had to be ended */
  async #turn(
    { prompt, session }: Pick<NextTurn, 'prompt' | 'session'>,
    limitMs: number | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { trace, role } = this.#init;
    if (limitMs === undefined) {
      await this.say(prompt, signal, session);
      return false;
    }
    const limit = abortAfter(limitMs * role.timeoutMultiplier);
    try {
      await this.say(prompt, AbortSignal.any([signal, limit]), session);
      return false;
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      await this.#runningAgent().close();
      const failure = this.#judgeTimeout();
      if (failure !== null) throw failure;
      trace.isTimeout = true;
      return true;
    }
  }

  #judgeTimeout(): VfError | null {
    const { trace, role } = this.#init;
    const { id, spec } = role.harness;
    const callsModel = spec.capabilities.callsModel ?? true;
    const hasAsked = this.#agent?.hasAsked ?? this.#hasAsked;
    return judgeTimeout({ calls: trace.calls, harness: id, callsModel, hasAsked });
  }

  #beginAgent(limitMs: number | undefined): void {
    const { role, taskset, trace, services, signal } = this.#init;
    const around = {
      trace,
      clock: services.clock,
      end: (reason: string, rewards: Readonly<Record<string, number>>) => {
        for (const [name, value] of Object.entries(rewards)) giveReward(trace, name, value);
        agent.stop(reason);
      },
    };
    const ctx = this.#hooked(signal);
    this.#agentStart = services.clock.now() / 1000;
    const agent = new RunningAgent({
      role,
      taskset,
      trace,
      box: this.#openBox(),
      services,
      systemPrompt: this.#setup.systemPrompt ?? this.#init.task.task.systemPrompt ?? null,
      tools: [
        ...hostTools(taskset?.spec.tools ?? {}, ctx, around),
        ...rawHostTools(this.#setup.tools ?? {}, around),
      ],
      skills: this.#setup.skills ?? [],
      taskMcp: this.#setup.mcpServers ?? [],
      hookCtx: ctx,
      deadline: limitMs === undefined ? null : Math.floor(this.#agentStart + limitMs / 1000),
    });
    this.#agent = agent;
  }

  #runningAgent(): RunningAgent {
    if (this.#agent === null) throw new VfError('internal/unexpected', 'the agent is not running');
    return this.#agent;
  }

  async #stage(
    stage: Exclude<Stage, 'agent'>,
    code: ErrorCode,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#enter(stage);
    await runStage(stage, this.#stageOptions(this.#limit(stage), code), work);
  }

  #enter(stage: Stage): void {
    this.#phase = stage;
    this.#init.services.observer.phase?.(this.#init.trace, stage);
  }

  #stageOptions(limitMs: number | undefined, code: ErrorCode): StageOptions {
    const { trace, services, signal } = this.#init;
    return { trace, clock: services.clock, signal, limitMs, code };
  }

  #limit(stage: Stage): number | undefined {
    const { task, role } = this.#init;
    const own = task.task.timeouts?.[stage];
    return own === undefined ? role.timeouts[stage] : own * role.timeoutMultiplier;
  }
}

function settle(trace: Trace, outcome: Outcome): void {
  if ('error' in outcome) throw outcome.error;
  if (outcome.stop !== null) trace.stopCondition = outcome.stop;
}

/** A reward that was not given is null. */
function takeBack({ rewards }: TasksetPlan, trace: Trace): void {
  for (const { name } of rewards) trace.rewards[name] = null;
}

const lastWordsMs = 3_000;

/** Hooks of a scoring that failed or whose time is up may still note what there was to see, but score no more. */
async function lastWords(
  scoring: PromiseLike<unknown> | null,
  trace: Trace,
  signal: AbortSignal,
): Promise<void> {
  const scores = { ...trace.rewards };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(lastWordsMs)]);
  await within(scoring, limit).catch(() => undefined);
  Object.assign(trace.rewards, scores);
}
