import { z } from '@vf/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJson } from './find-json.ts';
import { readVerdict } from './read-verdict.ts';
import { wireSchema } from './wire-schema.ts';

const object = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }))
  // JSON has no -0, and this key means something else to a literal.
  .map((value) => JSON.parse(JSON.stringify(value)) as object);
const prose = fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[{}`]/g, ''));

test('an object is found alone, in prose, in a fence, and after others', () => {
  fc.assert(
    fc.property(object, object, prose, prose, (value, other, before, after) => {
      const json = JSON.stringify(value);
      const fenced = ['```json', json, '```'].join('\n');
      expect(findJson(json)).toEqual(value);
      expect(findJson(` ${json}\n`)).toEqual(value);
      expect(findJson(`${before}\n${JSON.stringify(value, null, 2)}\n${after}`)).toEqual(value);
      expect(findJson(`${before}\n${fenced}\n${after}`)).toEqual(value);
      expect(findJson(`I see ${JSON.stringify(other)} there: ${json}`)).toEqual(value);
    }),
  );
});

test.each([
  ['', undefined],
  ['yes', undefined],
  ['[1]', undefined],
  ['{"a": 1', undefined],
  ['"{}"', {}],
  ['{"a": 1} so {"b": {"c": "}"}} is it', { b: { c: '}' } }],
  ['<think>{ maybe }</think>{"a": 1}', { a: 1 }],
  ['{'.repeat(50_000), undefined],
  ['{}}'.repeat(5_000), {}],
])('the object of %.40j', (text, value) => {
  expect(findJson(text)).toEqual(value);
});

test('no reply breaks the reader', () => {
  const schema = z.strictObject({ score: z.number().min(0).max(1) });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (reply) => {
      const { verdict, problem } = readVerdict(reply, schema);
      expect((verdict === null) === (problem !== null)).toBe(true);
    }),
  );
  expect(readVerdict('{"score": 2}', schema).problem).toContain('score');
  expect(readVerdict('{"score": 1, "more": 1}', schema).verdict).toBeNull();
  expect(readVerdict(' ', schema).problem).toBe('it is empty');
  expect(readVerdict('{"score": 1e0}', schema).verdict).toEqual({ score: 1 });
});

test('providers are asked for what all of them take; a field that may be absent is not strict', () => {
  const schema = z.object({
    score: z.number().min(0).max(10).describe('how good'),
    kind: z.enum(['a', 'b']),
    parts: z.array(z.object({ note: z.string().max(9) })),
  });
  const asked = wireSchema(schema);
  expect(asked).toEqual({
    strict: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['score', 'kind', 'parts'],
      properties: {
        score: { type: 'number', description: 'how good' },
        kind: { type: 'string', enum: ['a', 'b'] },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['note'],
            properties: { note: { type: 'string' } },
          },
        },
      },
    },
  });
  expect(wireSchema(z.object({ minimum: z.string().optional() }))).toMatchObject({
    strict: false,
    schema: { properties: { minimum: { type: 'string' } } },
  });
});
