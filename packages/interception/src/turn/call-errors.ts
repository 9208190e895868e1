import type { CallError, CallErrorCode, Head, ReadReply } from '@vf/core';
import { SendFailed } from '@vf/core/errors';
import { retryAfterOf } from './retry-policy.ts';

/** A failure to send, or a break before the answer was whole. */
export function errorOfSend(failure: unknown): CallError {
  if (!SendFailed.isInstance(failure)) {
    return {
      status: 0,
      code: 'cut',
      message: failure instanceof Error ? failure.message : String(failure),
    };
  }
  return {
    status: 0,
    code: failure.code === 'aborted' ? 'aborted' : 'unreachable',
    message: failure.message,
  };
}

/** What a whole answer failed with; null when it is a good reply. */
export function errorOfReply(head: Head, reply: ReadReply, now: number): CallError | null {
  const error = reply.error ?? errorOfHead(head, reply);
  if (error === null || error.retryAfterMs !== undefined) return error;
  const retryAfterMs = retryAfterOf(head, now);
  return retryAfterMs === null ? error : { ...error, retryAfterMs };
}

function errorOfHead(head: Head, reply: ReadReply): CallError | null {
  if (head.status >= 400) {
    return {
      status: head.status,
      code: codeOf(head.status),
      message: `the provider answered ${head.status}`,
    };
  }
  if (reply.whole) return null;
  return { status: head.status, code: 'malformed', message: 'the reply does not parse' };
}

function codeOf(status: number): CallErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'provider' : 'invalid';
}
