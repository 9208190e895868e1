import type { CallError } from '@vf/core';
import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';
import { bodyText } from '@vf/testkit/conformance';
import { engineCases } from './fixtures.ts';
import { readPlain } from './wire.ts';

const errorOf = (status: number, body: unknown) => readPlain(body, { status, headers: [] }).error;
const typed = (type: string, message = 'x') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});

describe('errors of providers', () => {
  it.each([
    [400, 'invalid_request_error', 'invalid'],
    [401, 'authentication_error', 'auth'],
    [402, 'billing_error', 'auth'],
    [403, 'permission_error', 'auth'],
    [404, 'not_found_error', 'not_found'],
    [413, 'request_too_large', 'invalid'],
    [429, 'rate_limit_error', 'rate_limit'],
    [500, 'api_error', 'provider'],
    [504, 'timeout_error', 'provider'],
    [529, 'overloaded_error', 'overloaded'],
  ] as const)('[wire/error-classes] %i %s is %s', (status, type, code) => {
    expect(errorOf(status, typed(type))).toEqual({ status, code, message: 'x' });
  });

  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
  ])('[wire/overlong-prompt] %s', (message) => {
    expect(errorOf(400, typed('invalid_request_error', message))?.code).toBe('context_length');
  });

  const failed = engineCases.filter(({ response }) => response.status >= 400);

  it.each(failed)('[messages/engines] $engine: $case', ({ response }) => {
    const code = response.status >= 500 ? 'provider' : 'invalid';
    expect(errorOf(response.status, bodyText(response))).toMatchObject({
      status: response.status,
      code,
    });
  });
});

describe('our own errors', () => {
  const bodyOf = (error: CallError): unknown =>
    JSON.parse(new TextDecoder().decode(dialect.error(error).body));

  it.each([
    [400, 'refused', 'invalid_request_error'],
    [401, 'auth', 'authentication_error'],
    [404, 'not_found', 'not_found_error'],
    [413, 'invalid', 'request_too_large'],
    [429, 'rate_limit', 'rate_limit_error'],
    [503, 'overloaded', 'overloaded_error'],
    [502, 'unreachable', 'api_error'],
  ] as const)('[messages/error-types] %i %s is %s', (status, code, type) => {
    expect(bodyOf({ status, code, message: 'x' })).toEqual({
      type: 'error',
      error: { type, message: 'x' },
    });
  });

  it('[messages/error-types] says that a prompt is too long', () => {
    expect(bodyOf({ status: 400, code: 'context_length', message: '9 tokens' })).toMatchObject({
      error: { message: 'prompt is too long: 9 tokens' },
    });
  });

  it('[wire/refusal] are not retried', () => {
    expect(dialect.error({ status: 400, code: 'refused', message: 'x' }).head).toEqual({
      status: 400,
      headers: ['content-type', 'application/json', 'x-should-retry', 'false'],
    });
  });

  it('[messages/ping] keeps alive with a ping', () => {
    expect(new TextDecoder().decode(dialect.keepAlive())).toBe(
      'event: ping\ndata: {"type": "ping"}\n\n',
    );
  });
});

describe('routes', () => {
  const kind = (method: string, path: string) =>
    dialect.routes.find((route) => route.method === method && route.path.test(path))?.kind;

  it.each([
    ['POST', '/v1/messages', 'turn'],
    ['POST', '/r/1/v1/messages', 'turn'],
    ['POST', '/v1/messages/count_tokens', 'count-tokens'],
    ['GET', '/v1/models', 'models'],
    ['GET', '/v1/models/claude-x', 'models'],
    ['HEAD', '/', 'probe'],
    ['GET', '/', 'probe'],
    ['HEAD', '', 'probe'],
    ['POST', '/v1/messages/batches', 'refused'],
    ['GET', '/v1/messages/batches/b/results', 'refused'],
    ['POST', '/v1/files', 'refused'],
    ['POST', '/v1/complete', undefined],
  ])('[messages/routes] %s %s is %s', (method, path, expected) => {
    expect(kind(method, path)).toBe(expected);
  });

  it('[messages/secret] stands in x-api-key or in the bearer', () => {
    const url = new URL('http://host/v1');
    expect(dialect.secret(['X-Api-Key', 's', 'authorization', 'Bearer t'], url)).toEqual({
      value: 's',
      header: 'x-api-key',
    });
    expect(dialect.secret(['authorization', 'Bearer t'], url)).toEqual({
      value: 't',
      header: 'authorization',
    });
    expect(dialect.authorize('k')).toEqual(['x-api-key', 'k']);
  });
});
