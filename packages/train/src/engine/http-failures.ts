import type { CallError, Head } from '@vf/core';
import { callErrorOf, parseJson } from '@vf/core/dialect';
import { SendFailed } from '@vf/core/errors';
import { EngineFailed } from './engine-failed.ts';
import { missingRoute } from './routes.ts';

/** Statuses of a route, or of a way to ask it, that is not there. */
const missing = new Set([404, 405]);

/** What an answer of another status than 200 says. */
export function refused(origin: string, path: string, head: Head, text: string): EngineFailed {
  if (head.status < 400) return new EngineFailed(elsewhere(origin, head));
  const failed = new EngineFailed(callErrorOf(head, parseJson(text) ?? text));
  const { status, message } = failed.error;
  // A model or an adapter that is not there is told with 404 too, by its name.
  if (!missing.has(status) || /model|adapter|lora/i.test(message)) return failed;
  const reason = missingRoute(origin, path);
  return new EngineFailed({ status, code: 'invalid', message: `${reason} (${message})` });
}

/** A status that is no failure and no answer: mostly a redirection, which no call follows. */
function elsewhere(origin: string, { status, headers }: Head): CallError {
  const at = headers.indexOf('location');
  const place = at < 0 ? '' : ` and names ${headers[at + 1]}: ask there`;
  return { status: 400, code: 'invalid', message: `${origin} answers ${status}${place}` };
}

/** Does the failure say that the server has no such route? */
export function isMissing({ error }: EngineFailed): boolean {
  return missing.has(error.status) && error.code === 'invalid';
}

const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']);

/** What a call without an answer, or with a part of one, failed with. */
export function sendFailure(error: unknown, origin: string, signal: AbortSignal): SendFailed {
  if (signal.aborted) return new SendFailed('aborted', 'the call was aborted', error);
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return resets.has(code)
    ? new SendFailed('reset', `${origin} closed the connection: ${message}`, error)
    : new SendFailed('unreachable', `no connection to ${origin}: ${message || code}`, error);
}
