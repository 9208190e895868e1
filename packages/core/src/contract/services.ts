import type { CallError, Sampling } from '../call.ts';
import type { AssistantMessage, Message } from '../message.ts';
import type { ModelCall } from '../trace/model-call.ts';
import type { Trace } from '../trace/trace.ts';
import type { Client } from './client.ts';
import type { Endpoint, HostTool } from './harness.ts';

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Cache reads; default `input`. */
  readonly cached?: number;
  /** Tokens written into the cache; default `input`. */
  readonly cacheWrite?: number;
  /** Of a call whose prompt has more tokens than `above`: all of its tokens cost this. */
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly cacheWrite?: number;
  };
}

/** What the rollout tells the interception server about one agent. */
export interface SessionSpec {
  readonly rolloutId: string;
  /** Turns are committed to its graph, calls appended to its list. */
  readonly trace: Trace;
  readonly client: Client;
  /** The model that answers, whatever the agent asks for; null leaves the agent's own. */
  readonly model: string | null;
  readonly sampling: Sampling;
  readonly price: Price | null;
  /** Asked before each turn: a refusal is answered in the dialect's shape (status 400) and sends nothing upstream. */
  admit(): CallError | null;
  /**
   * A request for a turn begins to come. No call comes of one that breaks off, cannot be read, or is given up before it
   * is sent on.
   */
  onRequest?(): void;
  /** After each recorded call, failed ones too, before its terminal bytes leave. A throw breaks the reply. */
  onCall?(call: ModelCall, signal: AbortSignal): void | Promise<void>;
  /** Each message the agent newly sends, once; what it returns goes upstream in its place, now and on every restatement. */
  rewritePrompt?(message: Message, signal: AbortSignal): Promise<Message | void>;
  /** Each whole reply, buffered, before the agent sees it. */
  rewriteReply?(reply: AssistantMessage, signal: AbortSignal): Promise<AssistantMessage | void>;
}

/** Serves one request in the web platform's terms. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** One rollout's place on the server. */
export interface InterceptionSession {
  /** Host URL without `/v1`, and the bearer that opens only this session. */
  readonly endpoint: Endpoint;
  /** Calls under way at this moment. */
  readonly inFlight: number;
  /** Serves `handler` below a path of its own under the session's bearer; gives the URL. */
  mount(name: string, handler: FetchHandler): string;
  /** No further turn is admitted; calls under way are answered with `error` in the dialect's shape. */
  halt(error: CallError): void;
  /** Waits for calls under way to be recorded, then takes the bearer away. Idempotent. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** The interception server as the rollout sees it. */
export interface Interception {
  open(spec: SessionSpec, signal: AbortSignal): Promise<InterceptionSession>;
}

/** Serves a task's tools as MCP, below a session's mounts. */
export interface ToolHost {
  /** `mount` gives the host URL under which `handler` is reached. */
  serve(
    tools: readonly HostTool[],
    mount: (name: string, handler: FetchHandler) => string,
  ): Promise<{
    readonly servers: readonly { readonly name: string; readonly url: string }[];
    close(): Promise<void>;
  }>;
}

/** Time as the rollout sees it; tests bring their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Rejects with the signal's reason when it fires first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
