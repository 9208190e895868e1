import type {
  AnyHook,
  AssistantMessage,
  CallError,
  Message,
  ModelCall,
  SessionSpec,
  Trace,
} from '@vf/core';
import { toVfError } from '@vf/core/errors';
import type { VfError } from '@vf/core/errors';
import { Meter, refusal } from './meter.ts';
import type { RolePlan, Services, TasksetPlan } from './plan.ts';

interface GuardInit {
  readonly role: RolePlan;
  readonly taskset: TasksetPlan | null;
  readonly trace: Trace;
  readonly services: Services;
  readonly hookCtx: AnyHook;
}

/** Stands between an agent and its model: what its limits, stops and the taskset's hooks say to each call. */
export class CallGuard {
  readonly #init: GuardInit;
  readonly #meter: Meter;
  #stopped: string | null = null;
  #hookFailure: VfError | null = null;
  #requests = 0;
  /** How much of the extra usage is with the meter; what earlier tries left there is not of this one. */
  #usageCounted: number;

  constructor(init: GuardInit) {
    this.#init = init;
    this.#meter = new Meter(init.role.limits);
    this.#usageCounted = init.trace.extraUsage.length;
  }

  /** Limit, stop hook or tool that ended the rollout; null while it goes on. */
  get stopped(): string | null {
    return this.#stopped;
  }

  /** No further model call is answered. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** What a hook of the taskset failed with while a call was under way. */
  get hookFailure(): VfError | null {
    return this.#hookFailure;
  }

  /** How often the agent has begun to ask its model, also where no call came of it. */
  get requests(): number {
    return this.#requests;
  }

  /** The part that it has in a session of the interception server. */
  get session(): Pick<
    SessionSpec,
    'admit' | 'onRequest' | 'onCall' | 'rewritePrompt' | 'rewriteReply'
  > {
    const { taskset, hookCtx } = this.#init;
    const { request, response } = taskset?.spec.intercept ?? {};
    return {
      admit: () => this.#admit(),
      onRequest: () => void this.#requests++,
      onCall: (call, signal) => this.#onCall(call, signal),
      ...(request === undefined
        ? {}
        : {
            rewritePrompt: (message: Message, signal: AbortSignal) =>
              this.#heard('intercept.request', signal, async () =>
                request(message, { ...hookCtx, signal }),
              ),
          }),
      ...(response === undefined
        ? {}
        : {
            rewriteReply: (reply: AssistantMessage, signal: AbortSignal) =>
              this.#heard('intercept.response', signal, async () =>
                response(reply, { ...hookCtx, signal }),
              ),
          }),
    };
  }

  #admit(): CallError | null {
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
    services.observer.call?.(trace, call);
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
}
