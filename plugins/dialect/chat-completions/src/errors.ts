import type { CallError, CallErrorCode, Head } from '@vf/core';
import { errorHeaders, sseBytes } from '@vf/core/dialect';

/** OpenAI's names for what went wrong; its SDKs choose the error class by status alone. */
const types: Readonly<Partial<Record<CallErrorCode, string>>> = {
  rate_limit: 'rate_limit_error',
  auth: 'authentication_error',
  not_found: 'not_found_error',
  context_length: 'invalid_request_error',
  refused: 'invalid_request_error',
  invalid: 'invalid_request_error',
  no_sample: 'invalid_request_error',
  not_renderable: 'invalid_request_error',
};

const codes: Readonly<Partial<Record<CallErrorCode, string>>> = {
  context_length: 'context_length_exceeded',
  rate_limit: 'rate_limit_exceeded',
};

const statuses: Readonly<Partial<Record<CallErrorCode, number>>> = {
  rate_limit: 429,
  auth: 401,
  not_found: 404,
  overloaded: 503,
  provider: 502,
  unreachable: 502,
  cut: 502,
  malformed: 502,
};

export function errorBody(error: CallError): unknown {
  const type = types[error.code] ?? 'server_error';
  return {
    error: { message: error.message, type, param: null, code: codes[error.code] ?? error.code },
  };
}

export function errorReply(error: CallError): { readonly head: Head; readonly body: Uint8Array } {
  const status =
    error.status >= 400 && error.status < 600 ? error.status : (statuses[error.code] ?? 400);
  return {
    head: { status, headers: errorHeaders(error) },
    body: new TextEncoder().encode(JSON.stringify(errorBody(error))),
  };
}

export function errorEvent(error: CallError): Uint8Array {
  return sseBytes(null, errorBody(error));
}
