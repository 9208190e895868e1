import type { CallError, CallErrorCode, Dialect } from '@vf/core';
import { errorHeaders, sseBytes } from '@vf/core/dialect';

/** `[error.type, error.code]` of OpenAI's bodies. */
const spelling: Readonly<Record<CallErrorCode, readonly [string, string]>> = {
  rate_limit: ['rate_limit_error', 'rate_limit_exceeded'],
  overloaded: ['server_error', 'server_is_overloaded'],
  auth: ['authentication_error', 'invalid_api_key'],
  not_found: ['invalid_request_error', 'not_found'],
  context_length: ['invalid_request_error', 'context_length_exceeded'],
  refused: ['invalid_request_error', 'content_policy_violation'],
  invalid: ['invalid_request_error', 'invalid_prompt'],
  provider: ['server_error', 'server_error'],
  unreachable: ['server_error', 'upstream_unreachable'],
  cut: ['server_error', 'stream_cut'],
  malformed: ['server_error', 'malformed_reply'],
  no_sample: ['invalid_request_error', 'invalid_prompt'],
  not_renderable: ['invalid_request_error', 'invalid_prompt'],
  aborted: ['server_error', 'aborted'],
};

/** Codex obeys the status alone. */
export const errorReply: Dialect['error'] = (failure) => {
  const [type, code] = spelling[failure.code];
  const body = { error: { message: failure.message, type, param: null, code } };
  return {
    head: {
      status: failure.status >= 400 ? failure.status : 502,
      headers: errorHeaders(failure),
    },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
};

/**
 * `response.failed` rather than a bare `error` event: Codex knows no other end of a failed stream. It retries every
 * code but a few, so what is final is spelt `invalid_prompt`, which it takes as that.
 */
export const errorEvent: Dialect['errorEvent'] = (failure) =>
  sseBytes('response.failed', {
    type: 'response.failed',
    sequence_number: 0,
    response: failedResponse(failure),
  });

function failedResponse(failure: CallError): Record<string, unknown> {
  return {
    id: 'resp_failed',
    object: 'response',
    status: 'failed',
    output: [],
    usage: null,
    incomplete_details: null,
    error: streamedError(failure),
  };
}

/** The `error` field of a failed response. */
export function streamedError(failure: CallError): {
  readonly code: string;
  readonly message: string;
} {
  const isFinal = failure.code === 'refused' || failure.code === 'aborted';
  const code = isFinal ? 'invalid_prompt' : spelling[failure.code][1];
  return { code, message: failure.message };
}
