import type { Finish, ToolSpec, Usage } from '@vf/core';
import type {
  CutStep,
  Delivery,
  InstantScript,
  Pieces,
  Reply,
  ScriptFunction,
  Step,
} from './script.ts';

/** Text of the reply. `pieces`: into how many deltas it is cut (default: one per 32 characters). */
export function say(
  text: string,
  options: { readonly pieces?: Pieces; readonly phase?: 'commentary' | 'final_answer' } = {},
): Step {
  return { type: 'text', text, ...options };
}

/** Reasoning before the reply, with what its provider wants back. */
export function think(
  text: string,
  options: {
    readonly signature?: string;
    readonly encrypted?: string;
    readonly pieces?: Pieces;
  } = {},
): Step {
  return { type: 'reasoning', text, ...options };
}

/**
 * A tool call. `tool`: one of the request's tools, which is called as the agent offers it, namespace and all; or a name,
 * sent as it is. Arguments that are a string are sent exactly as they are spelt.
 */
export function callTool(
  tool: string | ToolSpec,
  args: string | object,
  options: {
    readonly id?: string;
    readonly namespace?: string;
    readonly custom?: true;
    readonly pieces?: Pieces;
  } = {},
): Step {
  return {
    type: 'call',
    ...(typeof tool === 'string' ? { name: tool } : offeredAs(tool)),
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    ...options,
  };
}

function offeredAs({ name, namespace, kind }: ToolSpec): {
  readonly name: string;
  readonly namespace?: string;
  readonly custom?: true;
} {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(kind === 'custom' ? { custom: true } : {}),
  };
}

/** An event of the author's own: unknown types, a string for malformed JSON. */
export function event(data: unknown, name?: string): Step {
  return { type: 'event', data, ...(name === undefined ? {} : { name }) };
}

/** Silence between two events; `Infinity` never goes on. */
export function pause(ms: number): Step {
  return { type: 'pause', ms };
}

/** The dialect's own keep-alive. */
export function ping(): Step {
  return { type: 'ping' };
}

/** A comment line between two events. */
export function comment(text: string): Step {
  return { type: 'comment', text };
}

/** The dialect's error event after status 200. */
export function failInStream(code: string, message = `scripted ${code}`): Step {
  return { type: 'error', code, message };
}

/** Breaks the reply off; see `CutStep`. */
export function cut(afterEvents: number, how: CutStep['how'] = 'close'): Step {
  return { type: 'cut', afterEvents, how };
}

/** Usage of the reply; null for none. Default without this step: a quarter token per byte. */
export function usage(value: Usage | null, place: 'own' | 'finish' | 'every' = 'own'): Step {
  return { type: 'usage', usage: value, place };
}

/** Why the reply ended; default `stop`, or `tool_calls` when it holds a call. */
export function finish(reason: Finish | (string & {})): Step {
  return { type: 'finish', reason };
}

/** The id and model that the reply names. */
export function identity(value: { readonly id?: string; readonly model?: string }): Step {
  return { type: 'identity', ...value };
}

/** How the bytes of the reply travel. */
export function deliver(delivery: Delivery): Step {
  return { type: 'delivery', delivery };
}

/**
 * An HTTP failure in the dialect's shape, or with `body`. Status 200 gives an error body that looks like success.
 * `retryAfter`: seconds or a date.
 */
export function fail(
  status: number,
  options: {
    readonly message?: string;
    readonly code?: string;
    readonly body?: unknown;
    readonly retryAfter?: string | number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Step {
  const { retryAfter, headers, ...rest } = options;
  const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { type: 'fail', status, ...rest, headers: { ...retry, ...headers } };
}

/** Never answers. */
export function hang(): Step {
  return { type: 'hang' };
}

/** Closes or resets the connection before the head. */
export function hangUp(options: { readonly reset?: boolean } = {}): Step {
  return { type: 'hang-up', reset: options.reset ?? false };
}

/**
 * Replies by how many replies the prompt restates, so that attempts at one task do not disturb each other and a
 * retry gets the same answer. A prompt beyond the list gets the last reply.
 */
export function byTurn(replies: readonly [Reply, ...Reply[]]): ScriptFunction {
  return ({ turn }) => replies[Math.min(turn, replies.length - 1)] ?? replies[0];
}

/**
 * The same reply to every call, from bytes made once per dialect: for benchmarks. Requests are not parsed, and
 * recorded only as bytes; ids are the same in every reply.
 */
export function instant(reply: Reply): InstantScript {
  return { instant: stepsOf(reply) };
}

/** A reply as the list of its steps. */
export function stepsOf(reply: Reply): readonly Step[] {
  return 'type' in reply ? [reply] : reply;
}
