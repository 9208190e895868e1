import { describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { engineCases } from './fixtures.ts';
import { parseStream, readBody, readStream } from './helpers.ts';
import type { WireEvent } from './helpers.ts';
import { response, running } from './reply-events.ts';

describe('failures', () => {
  it.each([
    ['rate_limit_exceeded', 'rate_limit', 429],
    ['server_error', 'provider', 500],
    ['invalid_prompt', 'invalid', 400],
    ['context_length_exceeded', 'context_length', 400],
  ])('[responses/failed] %s', (code, expected, status) => {
    const error = { code, message: 'no' };
    const failed: WireEvent = {
      type: 'response.failed',
      response: response({ status: 'failed', error }),
    };
    expect(readStream([...running, failed])).toMatchObject({
      finish: null,
      whole: true,
      error: { code: expected, status, message: 'no' },
    });
    expect(readStream([{ type: 'error', code, message: 'no', param: null }])).toMatchObject({
      error: { code: expected, status },
    });
    expect(readBody(response({ status: 'failed', error }))).toMatchObject({
      error: { code: expected, status },
    });
  });

  it('[responses/cancelled] takes a cancelled response as no reply', () => {
    expect(readBody(response({ status: 'cancelled' }))).toMatchObject({
      finish: null,
      error: { code: 'aborted' },
    });
  });

  it('[responses/error-first] says an error at once, so that it can be tried again', () => {
    const reader = responses.reader({
      stream: true,
      deltas: false,
      head: { status: 200, headers: [] },
      edits: [],
    });
    const event = reader.push({
      name: null,
      data: '{"error":{"message":"overloaded","type":"overloaded_error"}}',
    });
    expect(event).toMatchObject({ phase: 'terminal', error: { code: 'overloaded' } });
  });

  it.each(engineCases.filter(({ response: { status } }) => status >= 400))(
    '[responses/error-body] reads the error of $engine',
    (engine) => {
      const read = readBody(engine.response.body, engine.response.status);
      expect(read).toMatchObject({ message: null, error: { code: 'invalid', status: 400 } });
      expect(read.error?.message).toContain('input');
    },
  );

  it('[responses/error-body-200] takes an error body under status 200 for a failure', () => {
    expect(readBody({ error: { message: 'no', code: 500 } })).toMatchObject({
      message: null,
      error: { status: 500, code: 'provider' },
    });
  });

  it('[responses/retry-after] says how long to wait', () => {
    const read = readBody({ error: { message: 'slow', code: 'rate_limit_exceeded' } }, 429, [
      'Retry-After',
      '7',
    ]);
    expect(read.error).toMatchObject({ code: 'rate_limit', retryAfterMs: 7000 });
  });

  it('[responses/malformed] knows a body that does not parse', () => {
    expect(readBody('<html>')).toMatchObject({ whole: false, error: { code: 'malformed' } });
    expect(readBody('bad gateway', 502)).toMatchObject({
      error: { status: 502, code: 'provider', message: 'bad gateway' },
    });
  });

  it('[responses/error-shape] spells its own errors as OpenAI does', () => {
    const { head, body } = responses.error({
      status: 429,
      code: 'rate_limit',
      message: 'slow',
      retryAfterMs: 1500,
    });
    expect(head).toEqual({
      status: 429,
      headers: ['content-type', 'application/json', 'x-should-retry', 'false', 'retry-after', '2'],
    });
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      error: {
        message: 'slow',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      },
    });
  });

  it('[responses/refusal] refuses with a 400 that is not tried again', () => {
    const { head } = responses.error({ status: 400, code: 'refused', message: 'over' });
    expect(head).toMatchObject({
      status: 400,
      headers: expect.arrayContaining(['x-should-retry', 'false']) as string[],
    });
  });

  it('[responses/refusal-event] spells a refusal in a stream so that Codex does not send it again', () => {
    const text = new TextDecoder().decode(
      responses.errorEvent({ status: 400, code: 'refused', message: 'over' }),
    );
    expect(parseStream(text)).toMatchObject([
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'invalid_prompt', message: 'over' } },
      },
    ]);
  });

  it('[responses/keep-alive] keeps alive with one comment line', () => {
    expect(new TextDecoder().decode(responses.keepAlive())).toBe(': keepalive\n');
  });
});
