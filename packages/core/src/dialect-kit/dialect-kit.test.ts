import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callErrorOf,
  countWritten,
  headerOf,
  isErrorBody,
  joinBytes,
  malformedEvent,
  missingDeltas,
  noneWritten,
  parseJson,
  present,
  sameArguments,
  sameJson,
  secretOf,
  sseBytes,
} from './index.ts';
import type { AssistantMessage } from '../message.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('sameArguments', () => {
  it.each([
    ['{ "a": 1, "b": [2] }', '{"b":[2],"a":1}', true],
    ['{"a":"\\u00e9\\/"}', '{"a":"é/"}', true],
    ['{"a":1.0}', '{"a":1}', true],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', true],
    ['', '{}', true],
    ['{"a":NaN}', '{ "a": NaN }', true],
    ['{"a":[1,2]}', '{"a":[2,1]}', false],
    ['{"a":null}', '{}', false],
    ['{broken', '{ broken', false],
    ['{"a":"1"}', '{"a":1}', false],
  ])('%s and %s: %s', (sampled, said, expected) => {
    expect(sameArguments(sampled, said)).toBe(expected);
    expect(sameArguments(said, sampled)).toBe(expected);
  });

  it('takes whatever JavaScript parses and writes again', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(sameArguments(text, JSON.stringify(JSON.parse(text)))).toBe(true);
      }),
    );
  });
});

describe('what a writer has left', () => {
  const message: AssistantMessage = {
    role: 'assistant',
    content: 'text',
    reasoning: 'why',
    toolCalls: [{ id: 'a', name: 'f', arguments: '{}', namespace: 'n' }],
    providerState: [{ type: 'x' }],
  };

  it('is everything at first and nothing in the end, wherever it is cut', () => {
    const all = missingDeltas(message, noneWritten());
    expect(all.map(({ type }) => type)).toEqual([
      'native',
      'reasoning',
      'text',
      'call',
      'arguments',
    ]);
    for (let end = 0; end <= all.length; end++) {
      const written = noneWritten();
      for (const delta of all.slice(0, end)) countWritten(written, delta);
      expect(missingDeltas(message, written)).toEqual(all.slice(end));
    }
  });
});

describe('the rest', () => {
  it('reads and joins what it should', () => {
    expect(headerOf(['A', '1', 'b', '2', 'a', '3'], 'a')).toBe('1');
    expect(headerOf(['a'], 'a')).toBeNull();
    expect(secretOf(['x-api-key', 'k', 'authorization', 'Bearer b'], ['x-api-key'])?.value).toBe(
      'k',
    );
    expect(secretOf(['authorization', 'Bearer  b '], [])).toEqual({
      value: 'b',
      header: 'authorization',
    });
    expect(secretOf(['authorization', 'Bearer '], [])).toBeNull();
    expect(decode(joinBytes([sseBytes('a', { x: '\n' }), sseBytes(null, 1)]))).toBe(
      'event: a\ndata: {"x":"\\n"}\n\ndata: 1\n\n',
    );
    expect(joinBytes([])).toHaveLength(0);
    expect(parseJson('{')).toBeUndefined();
    expect(present<{ a?: number; b?: number }>({ a: 0, b: null })).toEqual({ a: 0 });
    expect(sameJson({ a: 1, b: null }, { a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 2 })).toBe(false);
  });

  it.each([
    [{ error: { message: 'x' } }, true],
    [{ error: 'x' }, true],
    [{ type: 'error' }, true],
    [{ object: 'error', message: 'x' }, true],
    [{ detail: 'x' }, true],
    [{ error: null, choices: [] }, false],
    [{ choices: [] }, false],
    [[], false],
    [null, false],
  ])('tells an error body: %j %s', (body, expected) => {
    expect(isErrorBody(body)).toBe(expected);
  });

  it.each([
    ['{"a": ', null, true],
    ['<html>', 'message', true],
    ['', null, false],
    ['  ', 'message', false],
    ['[DONE]', null, false],
    ['now', 'ping', false],
    ['', 'keep-alive', false],
  ])('calls event data %j (%s) malformed: %s', (data, name, expected) => {
    const error = malformedEvent({ status: 200, headers: [] }, { name, data });
    expect(error?.code ?? null).toBe(expected ? 'malformed' : null);
  });

  it('shows the start of a malformed event, and no more', () => {
    const data = `{"${'x'.repeat(10_000)}`;
    const error = malformedEvent({ status: 200, headers: [] }, { name: null, data });
    expect(error?.message).toContain('no JSON: "{\\"xxx');
    expect(error?.message.length).toBeLessThan(200);
  });

  it('makes an error of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(200, 400, 429, 500), (body, status) => {
        const error = callErrorOf({ status, headers: [] }, body);
        expect(error.status).toBeGreaterThanOrEqual(400);
        expect(error.message).not.toBe('');
      }),
    );
  });
});
