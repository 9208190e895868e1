import type {
  CallError,
  Dialect,
  FetchHandler,
  InterceptionSession,
  Log,
  SessionSpec,
  Settings,
} from '@vf/core';
import { AbortListener } from '@vf/core/life';
import type { Abortable } from '@vf/core/life';
import type { ModelCall } from '@vf/core/trace';
import type { Clock } from '../clock.ts';
import type { InterceptionLimits } from '../limits.ts';
import { RequestMemory } from '../request/request-memory.ts';
import { PromptRewrites } from '../turn/prompt-rewrites.ts';
import { RetryMemory } from '../turn/retry-memory.ts';
import type { Bearer } from './bearer.ts';
import { idsOf } from './ids.ts';

/** A turn as its session ends it. */
export interface OpenTurn {
  readonly delivery: { readonly isAbandoned: boolean };
  /** Nobody reads the reply any more. */
  abandon(): void;
  /** Ends the turn from our side: the agent hears `error`. */
  stop(error: CallError): void;
}

/** What a session needs of the server it is on. */
export interface SessionHost {
  readonly url: string;
  readonly connect: () => object;
  readonly limits: InterceptionLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** Ask providers for the usage of streamed replies even where the agent does not. */
  readonly includeUsage: boolean;
  /** The bearer opens nothing any more. */
  release(session: Session): void;
}

const over: CallError = { status: 400, code: 'refused', message: 'the rollout is over' };

/** Made once: an error of its own per session would take a stack trace each. */
const closed = new Error('the rollout is over');

/** One rollout on a server: what its calls share. */
export class Session implements InterceptionSession, Abortable {
  readonly spec: SessionSpec;
  readonly bearer: Bearer;
  readonly endpoint: InterceptionSession['endpoint'];
  readonly limits: InterceptionLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly rollout: {
    readonly id: string;
    readonly newId: (prefix: string) => string;
    readonly now: () => number;
  };
  readonly retries: RetryMemory;
  readonly promptRewrites: PromptRewrites | null;
  /** Nodes of recorded replies by the id the provider gave them. */
  readonly replies = new Map<string, number>();
  readonly mounts = new Map<string, FetchHandler>();
  readonly #host: SessionHost;
  readonly #wanted: Partial<Settings>;
  readonly #wantedStreamed: Partial<Settings>;
  readonly #turns: OpenTurn[] = [];
  readonly #memories = new Map<string, RequestMemory>();
  readonly #abort = new AbortController();
  #cancellation: AbortListener | null = null;
  #halted: CallError | null = null;
  #closing: Promise<void> | null = null;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(spec: SessionSpec, bearer: Bearer, host: SessionHost) {
    this.spec = spec;
    this.bearer = bearer;
    this.endpoint = { url: host.url, connect: host.connect, bearer: bearer.value };
    this.limits = host.limits;
    this.clock = host.clock;
    this.log = host.log;
    this.rollout = {
      id: spec.rolloutId,
      newId: idsOf(spec.rolloutId),
      now: () => host.clock.now(),
    };
    this.retries = new RetryMemory(host.limits);
    this.promptRewrites =
      spec.rewritePrompt === undefined ? null : new PromptRewrites(spec.rewritePrompt.bind(spec));
    this.#host = host;
    this.#wanted = { ...spec.sampling, ...(spec.model === null ? {} : { model: spec.model }) };
    this.#wantedStreamed = host.includeUsage
      ? { ...this.#wanted, includeUsage: true }
      : this.#wanted;
  }

  get inFlight(): number {
    return this.#turns.length;
  }

  /** Turns under way, oldest first. */
  get turns(): readonly OpenTurn[] {
    return this.#turns;
  }

  /** Halted or closing: what is refused now is refused for good. */
  get isOver(): boolean {
    return this.#halted !== null || this.#closing !== null;
  }

  get isClosing(): boolean {
    return this.#closing !== null;
  }

  /** Aborts when the session is closed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  mount(name: string, handler: FetchHandler): string {
    this.mounts.set(name, handler);
    return `${this.#host.url}/mounts/${encodeURIComponent(name)}`;
  }

  halt(error: CallError): void {
    this.#halted ??= { ...error, status: 400 };
    for (const turn of this.#turns) turn.stop(this.#halted);
  }

  close(options: { readonly drainMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.drainMs ?? this.limits.drain);
    return this.#closing;
  }

  /** Why no further turn is admitted; null when one is. */
  refusal(): CallError | null {
    if (this.#halted !== null) return this.#halted;
    return this.#closing === null ? this.spec.admit() : over;
  }

  /** Ends with the rollout's signal, at once where that has aborted. */
  heed(signal: AbortSignal): void {
    if (signal.aborted) this.abort();
    else this.#cancellation = new AbortListener(signal, this);
  }

  /** The rollout was cancelled. */
  abort(): void {
    this.halt({ status: 400, code: 'aborted', message: 'the rollout was cancelled' });
    void this.close({ drainMs: 0 });
  }

  memoryOf(dialect: Dialect): RequestMemory {
    let memory = this.#memories.get(dialect.id);
    if (memory === undefined) {
      const replyNode = (id: string): number | null => this.replies.get(id) ?? null;
      memory = new RequestMemory(this.spec.trace.graph, dialect, { replyNode });
      this.#memories.set(dialect.id, memory);
    }
    return memory;
  }

  /** What a call must ask for, whatever the agent asks; the same object each time, since edits are kept by it. */
  wanted(asked: Settings): Partial<Settings> {
    return asked.stream ? this.#wantedStreamed : this.#wanted;
  }

  /** Puts a call on the trace's list. @throws what the rollout's `onCall` throws */
  async record(call: ModelCall): Promise<void> {
    this.spec.trace.calls.push(call);
    const told = this.spec.onCall?.(call, this.signal);
    if (told !== undefined) await told;
  }

  begin(turn: OpenTurn): void {
    this.#turns.push(turn);
  }

  ended(turn: OpenTurn): void {
    const at = this.#turns.indexOf(turn);
    if (at >= 0) this.#turns.splice(at, 1);
    if (this.#turns.length === 0) this.#idle?.resolve();
  }

  async #close(drainMs: number): Promise<void> {
    // A call that its agent left behind is worth finishing only when its reply is complete but for the usage.
    for (const turn of this.#turns) if (turn.delivery.isAbandoned) turn.abandon();
    if (!(await this.#drained(drainMs))) {
      for (const turn of this.#turns) turn.stop(over);
      await this.#drained(drainMs);
    }
    this.#host.release(this);
    this.#cancellation?.release();
    this.#abort.abort(closed);
    this.#memories.clear();
    this.replies.clear();
    this.mounts.clear();
  }

  /** @returns false when calls are still under way after `ms` */
  async #drained(ms: number): Promise<boolean> {
    if (this.#turns.length === 0) return true;
    this.#idle = Promise.withResolvers();
    const timer = setTimeout(() => this.#idle?.resolve(), ms);
    await this.#idle.promise;
    clearTimeout(timer);
    this.#idle = null;
    return this.#turns.length === 0;
  }
}
