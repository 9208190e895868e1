import type { CallError, CallErrorCode, Head } from '@vf/core';
import { errorHeaders, sseBytes } from '@vf/core/dialect';

/** Anthropic's types; its SDKs choose the error class by status, agents read the type. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const statuses: Readonly<Partial<Record<CallErrorCode, number>>> = {
  rate_limit: 429,
  auth: 401,
  not_found: 404,
  overloaded: 529,
  provider: 502,
  unreachable: 502,
  cut: 502,
  malformed: 502,
};

/** Agents know an overlong prompt by these words alone. */
const tooLong = 'prompt is too long';

function statusOf({ status, code }: CallError): number {
  return status >= 400 && status < 600 ? status : (statuses[code] ?? 400);
}

export function errorBody(error: CallError): unknown {
  const status = statusOf(error);
  const type =
    error.code === 'overloaded'
      ? 'overloaded_error'
      : (types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'));
  const isNamed = error.code !== 'context_length' || error.message.includes(tooLong);
  return {
    type: 'error',
    error: { type, message: isNamed ? error.message : `${tooLong}: ${error.message}` },
  };
}

export function errorReply(error: CallError): { readonly head: Head; readonly body: Uint8Array } {
  return {
    head: { status: statusOf(error), headers: errorHeaders(error) },
    body: new TextEncoder().encode(JSON.stringify(errorBody(error))),
  };
}

export function errorEvent(error: CallError): Uint8Array {
  return sseBytes('error', errorBody(error));
}
