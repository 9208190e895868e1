import type { CallErrorCode } from '@vf/core';
import { isInfrastructure } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { providerError } from '../src/provider-error.ts';

test.each<[CallErrorCode, number, string, boolean]>([
  ['rate_limit', 429, 'provider/rate_limited', true],
  ['overloaded', 529, 'provider/overloaded', true],
  ['auth', 401, 'provider/auth', false],
  ['not_found', 404, 'provider/unknown_model', false],
  ['context_length', 400, 'provider/context_length', false],
  ['refused', 400, 'provider/refused', false],
  ['invalid', 400, 'provider/invalid_request', false],
  ['unreachable', 0, 'provider/unreachable', true],
  ['cut', 200, 'provider/stream_cut', true],
  ['malformed', 200, 'provider/malformed', true],
  ['no_sample', 400, 'training/no_sample', false],
  ['not_renderable', 400, 'misfit/not_renderable', false],
  ['aborted', 0, 'cancelled', true],
  ['provider', 200, 'provider/error_body', true],
  ['provider', 500, 'provider/server_error', true],
])('%s with status %i is %s; again: %s', (code, status, expected, retryable) => {
  const error = providerError({ code, status, message: 'as the provider put it' });
  expect(error).toMatchObject({ code: expected, message: 'as the provider put it', retryable });
  expect(error.status).toBe(status === 0 ? null : status);
  expect(isInfrastructure(error.code)).toBe(expected.startsWith('provider/') || code === 'aborted');
});
