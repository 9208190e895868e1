import { SendFailed } from '@vf/core/errors';
import { withoutKey } from './relay-headers.ts';

const resets = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** A failure of undici before the head, as the contract names it. */
export function sendFailure(
  error: unknown,
  origin: string,
  key: string | null,
  signal: AbortSignal,
): SendFailed {
  if (SendFailed.isInstance(error)) return error;
  const code = codeOf(error);
  const message = withoutKey(error instanceof Error ? error.message : String(error), key);
  if (signal.aborted) return new SendFailed('aborted', 'the call was aborted', error);
  if (resets.has(code))
    return new SendFailed('reset', `${origin} closed the connection: ${message}`, error);
  if (timeouts.has(code))
    return new SendFailed('timeout', `${origin} did not answer: ${message}`, error);
  return new SendFailed('unreachable', `no connection to ${origin}: ${message || code}`, error);
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}
