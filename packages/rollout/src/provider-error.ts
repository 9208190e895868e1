import type { CallError, CallErrorCode, ErrorCode } from '@vf/core';
import { VfError } from '@vf/core/errors';

const codes: Readonly<Record<Exclude<CallErrorCode, 'provider'>, ErrorCode>> = {
  rate_limit: 'provider/rate_limited',
  overloaded: 'provider/overloaded',
  auth: 'provider/auth',
  not_found: 'provider/unknown_model',
  context_length: 'provider/context_length',
  refused: 'provider/refused',
  invalid: 'provider/invalid_request',
  unreachable: 'provider/unreachable',
  cut: 'provider/stream_cut',
  malformed: 'provider/malformed',
  no_sample: 'training/no_sample',
  not_renderable: 'misfit/not_renderable',
  aborted: 'cancelled',
};

const hints: Partial<Record<ErrorCode, string>> = {
  'provider/auth': 'check the key that client.api_key_var names',
  'provider/unknown_model': 'check --model against the provider’s list',
  'provider/unreachable': 'check client.base_url and the network',
  'provider/rate_limited': 'lower --max-concurrent, or raise retries.max_retries',
};

/** Asking again with the same request and key gives the same refusal. */
const final = new Set<ErrorCode>([
  'provider/auth',
  'provider/unknown_model',
  'provider/invalid_request',
  'provider/refused',
  'provider/context_length',
  'training/no_sample',
  'misfit/not_renderable',
]);

/** A failed call as the rollout's error. */
export function providerError(error: CallError): VfError {
  const code = error.code === 'provider' ? unclassified(error.status) : codes[error.code];
  const hint = hints[code];
  return new VfError(code, error.message, {
    retryable: !final.has(code),
    ...(hint === undefined ? {} : { hint }),
    ...(error.status === 0 ? {} : { status: error.status }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

function unclassified(status: number): ErrorCode {
  return status >= 200 && status < 300 ? 'provider/error_body' : 'provider/server_error';
}
