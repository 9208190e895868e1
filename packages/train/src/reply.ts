import type { CallError, Exchange, Head, ReadReply, Reply, Settings, TurnTokens } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { EngineFailed } from './engine/engine-failed.ts';

const retried: ReadonlySet<CallError['code']> = new Set([
  'rate_limit',
  'overloaded',
  'provider',
  'cut',
]);

export const streamHead: Head = {
  status: 200,
  headers: ['content-type', 'text/event-stream; charset=utf-8'],
};
const jsonHead: Head = { status: 200, headers: ['content-type', 'application/json'] };

/** A reply in the agent's own dialect, streamed when it asked for that, with its tokens beside it. */
export function replyOf(
  { dialect, rollout }: Pick<Exchange, 'dialect' | 'rollout'>,
  settings: Settings,
  reply: ReadReply,
  tokens: TurnTokens,
): Reply {
  const { stream } = settings;
  const { newId, now } = rollout;
  const bytes = dialect.writer({ stream, settings, newId, now }).end(reply);
  return {
    head: stream ? streamHead : jsonHead,
    body: once(bytes),
    tokens: Promise.resolve(tokens),
  };
}

/** A JSON answer that samples nothing. */
export function plainReply(bytes: Uint8Array): Reply {
  return { head: jsonHead, body: once(bytes) };
}

/**
 * What a call failed with, in the dialect's shape.
 * @throws what is no failure of a call, such as `SendFailed`
 */
export function failureReply(exchange: Pick<Exchange, 'dialect'>, error: unknown): Reply {
  if (error instanceof EngineFailed) return errorReply(exchange, error.error);
  if (!VfError.isInstance(error)) throw error;
  const code = error.code === 'misfit/not_renderable' ? 'not_renderable' : 'invalid';
  return errorReply(exchange, { status: 400, code, message: error.message });
}

/** A failure in the dialect's shape; what may pass is not marked as final, so that it is tried again. */
function errorReply({ dialect }: Pick<Exchange, 'dialect'>, error: CallError): Reply {
  const { head, body } = dialect.error(error);
  const headers = retried.has(error.code) ? withoutMark(head.headers) : head.headers;
  return { head: { ...head, headers }, body: once(body), error };
}

function withoutMark(headers: readonly string[]): readonly string[] {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name === 'x-should-retry');
  return at < 0 ? headers : headers.toSpliced(at, 2);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
