import type { CallError } from '@vf/core';
import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';
import { bodyText } from '@vf/testkit/conformance';
import { engineCases } from './fixtures.ts';
import { readPlain, readStream } from './wire.ts';

const head = (status: number, headers: readonly string[] = []) => ({ status, headers });
const errorOf = (status: number, body: unknown, headers?: readonly string[]) =>
  readPlain(body, head(status, headers)).error;

describe('errors of providers', () => {
  it.each([
    [
      429,
      { error: { message: 'slow', type: 'requests', code: 'rate_limit_exceeded' } },
      'rate_limit',
    ],
    [
      429,
      { error: { message: 'pay', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'auth',
    ],
    [
      401,
      { error: { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'auth',
    ],
    [402, { error: { message: 'credits', code: 402 } }, 'auth'],
    [403, { detail: 'Forbidden' }, 'auth'],
    [404, { error: { message: 'no model', code: 'model_not_found' } }, 'not_found'],
    [400, { error: { message: 'gone', code: 'model_not_found' } }, 'not_found'],
    [404, { detail: 'Not Found' }, 'not_found'],
    [503, { error: 'busy' }, 'overloaded'],
    [529, '<html>overloaded</html>', 'overloaded'],
    [500, { error: { message: 'oops', type: 'server_error' } }, 'provider'],
    [502, '', 'provider'],
    [408, { message: 'timeout' }, 'provider'],
    [400, { error: { message: 'bad field', type: 'invalid_request_error' } }, 'invalid'],
    [422, { detail: [{ loc: ['body', 'n'], msg: 'Input should be an integer' }] }, 'invalid'],
    [
      400,
      {
        error: {
          message: 'filtered',
          code: 'content_filter',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
      'refused',
    ],
    [400, [{ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } }], 'invalid'],
  ] as const)('[wire/error-classes] %i %j is %s', (status, body, code) => {
    expect(errorOf(status, body)).toMatchObject({ status, code });
  });

  it.each([
    { error: { message: 'x', code: 'context_length_exceeded' } },
    {
      error: {
        message: "This model's maximum context length is 8192 tokens. However, you requested 9000",
      },
    },
    { error: { message: 'x', type: 'exceed_context_size_error' } },
    {
      message: 'Prompt contains 9000 tokens, too large for model with 8192 maximum context length',
    },
    {
      error: {
        message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      },
    },
    {
      object: 'error',
      message: "The input (2631 tokens) is longer than the model's context length (2048 tokens).",
    },
    {
      error: { message: 'prompt is too long: 9 tokens > 8 maximum', type: 'invalid_request_error' },
    },
    { error: 'The decoder prompt (length 9) is longer than the maximum model length of 8.' },
    { error: { message: 'Please reduce the length of the messages or completion.' } },
  ])('[wire/overlong-prompt] %j', (body) => {
    expect(errorOf(400, body)).toMatchObject({ status: 400, code: 'context_length' });
  });

  it('[wire/overlong-prompt] is not every complaint about tokens', () => {
    expect(
      errorOf(429, { error: { message: 'Rate limit reached: tokens per min, prompt is too long' } })
        ?.code,
    ).toBe('rate_limit');
    expect(errorOf(400, { error: { message: 'max_tokens must be positive' } })?.code).toBe(
      'invalid',
    );
  });

  it.each([
    [['Retry-After', '7'], 7000],
    [['retry-after', '1.5'], 1500],
    [['retry-after-ms', '250', 'retry-after', '9'], 250],
    [
      ['date', 'Mon, 30 Nov 2026 07:00:00 GMT', 'retry-after', 'Mon, 30 Nov 2026 07:00:05 GMT'],
      5000,
    ],
    [['date', 'Mon, 30 Nov 2026 07:00:09 GMT', 'retry-after', 'Mon, 30 Nov 2026 07:00:05 GMT'], 0],
    [['retry-after', 'soon'], undefined],
    [[], undefined],
  ])('[wire/retry-after] %j', (headers, expected) => {
    expect(errorOf(429, { error: { message: 'slow' } }, headers)?.retryAfterMs).toBe(expected);
  });

  it('[chat/error-chunk] takes the class from the error when HTTP said 200', () => {
    expect(readPlain({ error: { message: 'x', type: 'overloaded_error' } }).error).toMatchObject({
      status: 529,
      code: 'overloaded',
    });
    expect(readStream([{ error: { message: 'x', code: '401' } }]).error).toMatchObject({
      status: 401,
      code: 'auth',
    });
  });

  const failed = engineCases.filter(({ response }) => response.status >= 400);

  it.each(failed)('[chat/engines] $engine: $case', ({ case: name, response }) => {
    const expected = name.includes('overflow')
      ? 'context_length'
      : name.includes('unknown')
        ? 'not_found'
        : 'invalid';
    expect(errorOf(response.status, bodyText(response))).toMatchObject({
      status: response.status,
      code: expected,
    });
  });
});

describe('our own errors', () => {
  const refused: CallError = { status: 400, code: 'refused', message: 'the rollout is over' };

  it('[wire/refusal] are not retried', () => {
    const { head: written, body } = chat.error(refused);
    expect(written).toEqual({
      status: 400,
      headers: ['content-type', 'application/json', 'x-should-retry', 'false'],
    });
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      error: {
        message: 'the rollout is over',
        type: 'invalid_request_error',
        param: null,
        code: 'refused',
      },
    });
  });

  it('[wire/refusal] get a status where no provider gave one', () => {
    expect(chat.error({ status: 0, code: 'unreachable', message: 'x' }).head.status).toBe(502);
    expect(chat.error({ status: 0, code: 'refused', message: 'x' }).head.status).toBe(400);
  });

  it('[chat/keep-alive] a comment line', () => {
    expect(new TextDecoder().decode(chat.keepAlive())).toBe(': keepalive\n');
  });
});
