import type {
  AgentSession,
  AssistantMessage,
  Box,
  AnyHook,
  HarnessCtx,
  HostTool,
  InterceptionSession,
  McpServer,
  Message,
  ModelCall,
  Segment,
  Skill,
  TaskMcpServer,
  Trace,
} from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { asUser } from './as-user.ts';
import { Meter, refusal } from './meter.ts';
import { judgeSegment, unsampledOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { RolePlan, Services, TasksetPlan } from './plan.ts';
import { Spoken } from './spoken.ts';
import { within } from './within.ts';

export interface AgentInit {
  readonly role: RolePlan;
  readonly taskset: TasksetPlan | null;
  readonly trace: Trace;
  readonly box: Box;
  readonly services: Services;
  readonly systemPrompt: string | null;
  readonly tools: readonly HostTool[];
  readonly skills: readonly Skill[];
  readonly taskMcp: readonly TaskMcpServer[];
  readonly hookCtx: AnyHook;
  /** Unix seconds at which the agent's stage ends; null without a limit. */
  readonly deadline: number | null;
}

/** The agent at work: its place on the interception server, its program, and what stops it. */
export class RunningAgent {
  readonly #init: AgentInit;
  readonly #meter: Meter;
  readonly #spoken: Spoken;
  #interception: InterceptionSession | null = null;
  #session: AgentSession | null = null;
  #closeTools: (() => Promise<void>) | null = null;
  #stopped: string | null = null;
  /** What a hook of the taskset failed with while a call was under way. */
  #hookFailure: VfError | null = null;
  #recordedNodes = 0;
  /** Who it works as; null for the box's own user. */
  #runAs: string | number | null = null;
  readonly #routes = new Set<string>();
  /** How much of the extra usage is with the meter; what earlier tries left there is not of this one. */
  #usageCounted: number;

  constructor(init: AgentInit) {
    this.#init = init;
    this.#meter = new Meter(init.role.limits);
    this.#usageCounted = init.trace.extraUsage.length;
    this.#spoken = new Spoken(init.trace);
  }

  /** Limit, stop hook or tool that ended the rollout; null while it goes on. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** Host URLs that the program must reach whatever the network policy: its model's, and the tools'. */
  get routes(): readonly string[] {
    return [...this.#routes];
  }

  /** No further model call is answered. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** @throws VfError when the server, the box's way to it, or the program's session cannot be opened */
  async open(signal: AbortSignal): Promise<void> {
    this.#interception ??= await this.#openInterception(signal);
    this.#session = await this.#openSession(this.#interception, signal);
  }

  /** From the next session on. */
  runAs(user: string | number): void {
    this.#runAs = user;
  }

  /** Another user turn; `fresh` starts the program anew. */
  async turn(
    prompt: string | readonly Message[],
    session: 'resume' | 'fresh',
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { trace, role } = this.#init;
    if (session === 'fresh') await this.#closeSession();
    if (this.#session === null) await this.open(signal);
    const before = trace.calls.length;
    let segment: Segment;
    try {
      segment = await this.#play(prompt, signal);
      await this.#settled(signal);
    } catch (error) {
      const unsampled = unsampledOf(trace.calls.slice(before));
      if (unsampled === null || signal.aborted) throw error;
      return { error: unsampled };
    }
    if (this.#hookFailure !== null) throw this.#hookFailure;
    if (segment.reply !== undefined)
      this.#spoken.add(prompt, segment.reply, this.#init.services.clock.now() / 1000);
    return judgeSegment({
      segment,
      calls: trace.calls.slice(before),
      stopped: this.#stopped,
      harness: role.harness.id,
      callsModel: role.harness.spec.capabilities.callsModel ?? true,
      hasReplied: trace.graph.nodes.some(({ sampled }) => sampled),
    });
  }

  /** Ends the program and takes its bearer away; calls under way are recorded first. */
  async close(): Promise<void> {
    await this.#closeSession();
    await this.#closeTools?.();
    this.#closeTools = null;
    await this.#interception?.close();
    this.#interception = null;
  }

  async #play(prompt: string | readonly Message[], signal: AbortSignal): Promise<Segment> {
    try {
      return await within(this.#opened().turn(prompt, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#hookFailure !== null) throw this.#hookFailure;
      throw toVfError(error, 'harness/failed', `harness ${this.#init.role.harness.id}`);
    }
  }

  #opened(): AgentSession {
    if (this.#session === null)
      throw new VfError('internal/unexpected', 'the agent session is not open');
    return this.#session;
  }

  /** A program may end before its last call is recorded. */
  async #settled(signal: AbortSignal): Promise<void> {
    while ((this.#interception?.inFlight ?? 0) > 0)
      await this.#init.services.clock.sleep(5, signal);
  }

  async #openInterception(signal: AbortSignal): Promise<InterceptionSession> {
    const { role, taskset, trace, services, hookCtx } = this.#init;
    const intercept = taskset?.spec.intercept;
    const { request, response } = intercept ?? {};
    return services.interception.open(
      {
        rolloutId: trace.id,
        trace,
        client: role.client,
        model: role.model,
        sampling: role.sampling,
        price: role.price,
        admit: () => this.#admit(),
        onCall: (call, callSignal) => this.#onCall(call, callSignal),
        ...(request === undefined
          ? {}
          : {
              rewritePrompt: (message: Message, s: AbortSignal) =>
                this.#heard('intercept.request', s, async () =>
                  request(message, { ...hookCtx, signal: s }),
                ),
            }),
        ...(response === undefined
          ? {}
          : {
              rewriteReply: (reply: AssistantMessage, s: AbortSignal) =>
                this.#heard('intercept.response', s, async () =>
                  response(reply, { ...hookCtx, signal: s }),
                ),
            }),
      },
      signal,
    );
  }

  #admit(): ReturnType<typeof refusal> | null {
    const { extraUsage } = this.#init.trace;
    while (this.#usageCounted < extraUsage.length)
      this.#meter.spend(extraUsage[this.#usageCounted++]?.cost ?? 0);
    this.#stopped ??= this.#meter.reached();
    if (this.#stopped !== null) return refusal(this.#stopped);
    this.#init.services.observer.asked?.(this.#init.trace);
    return null;
  }

  /** A hook that fails in the middle of a call fails the call; the rollout is told that it was no fault of the agent. */
  async #heard<T>(hook: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!signal.aborted) this.#hookFailure ??= toVfError(error, 'taskset/hook_failed', hook);
      throw error;
    }
  }

  async #onCall(call: ModelCall, signal: AbortSignal): Promise<void> {
    const { trace, services, taskset, hookCtx } = this.#init;
    this.#meter.add(call);
    services.observer.call?.(trace, call, this.#recordedNodes);
    this.#recordedNodes = trace.graph.nodes.length;
    if (call.node === null || this.#stopped !== null) return;
    for (const stop of taskset?.stops ?? []) {
      const isReached = await this.#heard(`stop ${stop.name}`, signal, async () =>
        stop.stops({ ...hookCtx, signal }),
      );
      if (isReached) {
        this.stop(stop.name);
        return;
      }
    }
  }

  async #openSession(
    interception: InterceptionSession,
    signal: AbortSignal,
  ): Promise<AgentSession> {
    const { role, trace, box, services, systemPrompt, tools, deadline } = this.#init;
    const { url: hostUrl } = interception.endpoint;
    const url = await box.reach(hostUrl, signal);
    this.#routes.add(hostUrl);
    const mcp = await this.#serveTools(interception, signal);
    const env = {
      ...role.harness.env,
      VF_ROLLOUT_ID: trace.id,
      ...(deadline === null ? {} : { VF_DEADLINE: String(deadline) }),
    };
    const ctx = {
      config: role.harness.config,
      rolloutId: trace.id,
      runtime: this.#runAs === null ? box : await asUser(box, this.#runAs, signal),
      dialect: role.dialect,
      endpoint: { ...interception.endpoint, url, hostUrl },
      model: role.model,
      systemPrompt,
      mcp,
      tools,
      skills: this.#init.skills,
      taskMcp: this.#init.taskMcp,
      env,
      ...this.#reference(),
      log: services.log(trace.id),
      signal,
    };
    try {
      return await role.harness.spec.open(ctx);
    } catch (error) {
      throw toVfError(error, 'harness/open_failed', `harness ${role.harness.id}`);
    }
  }

  #reference(): Pick<HarnessCtx, 'reference'> {
    const { taskset, hookCtx } = this.#init;
    const perform = taskset?.spec.validate;
    if (perform === undefined) return {};
    return {
      reference: async (signal) => {
        try {
          const answer = await perform({ ...hookCtx, signal });
          return typeof answer === 'string' ? { reply: answer } : answer;
        } catch (error) {
          throw toVfError(error, 'taskset/hook_failed', 'the reference solution');
        }
      },
    };
  }

  async #serveTools(interception: InterceptionSession, signal: AbortSignal): Promise<McpServer[]> {
    const { role, tools, box, services } = this.#init;
    if (
      tools.length === 0 ||
      role.harness.spec.capabilities.mcp !== true ||
      services.toolHost === null
    )
      return [];
    await this.#closeTools?.();
    const served = await services.toolHost.serve(tools, (name, handler) =>
      interception.mount(name, handler),
    );
    this.#closeTools = () => served.close();
    for (const { url } of served.servers) this.#routes.add(url);
    const { bearer } = interception.endpoint;
    return Promise.all(
      served.servers.map(async ({ name, url }) => ({
        name,
        url: await box.reach(url, signal),
        bearer,
      })),
    );
  }

  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }
}
