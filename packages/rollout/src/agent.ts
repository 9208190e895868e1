import type {
  AgentSession,
  Box,
  AnyHook,
  HostTool,
  InterceptionSession,
  McpServer,
  Message,
  Segment,
  Skill,
  TaskMcpServer,
  Trace,
} from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { asUser } from './as-user.ts';
import { CallGuard } from './call-guard.ts';
import { judgeSegment, unsampledOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { RolePlan, Services, TasksetPlan } from './plan.ts';
import { referenceOf } from './reference.ts';
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
  readonly #guard: CallGuard;
  readonly #spoken: Spoken;
  #interception: InterceptionSession | null = null;
  #session: AgentSession | null = null;
  #closeTools: (() => Promise<void>) | null = null;
  /** Who it works as; null for the box's own user. */
  #runAs: string | number | null = null;
  readonly #routes = new Set<string>();

  constructor(init: AgentInit) {
    this.#init = init;
    this.#guard = new CallGuard(init);
    this.#spoken = new Spoken(init.trace);
  }

  /** Host URLs that the program must reach whatever the network policy: its model's, and the tools'. */
  get routes(): readonly string[] {
    return [...this.#routes];
  }

  /** Has it begun to ask its model, also where no call came of it? */
  get hasAsked(): boolean {
    return this.#guard.requests > 0;
  }

  /** No further model call is answered. */
  stop(reason: string): void {
    this.#guard.stop(reason);
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
    const askedBefore = this.#guard.requests;
    let segment: Segment;
    try {
      segment = await this.#play(prompt, signal);
      await this.#settled(signal);
    } catch (error) {
      const unsampled = unsampledOf(trace.calls.slice(before));
      if (unsampled === null || signal.aborted) throw error;
      return { error: unsampled };
    }
    if (this.#guard.hookFailure !== null) throw this.#guard.hookFailure;
    if (segment.reply !== undefined)
      this.#spoken.add(prompt, segment.reply, this.#init.services.clock.now() / 1000);
    return judgeSegment({
      segment,
      calls: trace.calls.slice(before),
      stopped: this.#guard.stopped,
      harness: role.harness.id,
      callsModel: role.harness.spec.capabilities.callsModel ?? true,
      hasAsked: this.#guard.requests > askedBefore,
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
      if (this.#guard.hookFailure !== null) throw this.#guard.hookFailure;
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
    const { role, trace, services } = this.#init;
    return services.interception.open(
      {
        rolloutId: trace.id,
        trace,
        client: role.client,
        model: role.model,
        sampling: role.sampling,
        price: role.price,
        ...this.#guard.session,
      },
      signal,
    );
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
      ...referenceOf(this.#init.taskset, this.#init.hookCtx),
      log: services.log(trace.id),
      signal,
    };
    try {
      return await role.harness.spec.open(ctx);
    } catch (error) {
      throw toVfError(error, 'harness/open_failed', `harness ${role.harness.id}`);
    }
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
