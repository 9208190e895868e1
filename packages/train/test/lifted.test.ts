import { isObject, listOf, objectOf, parseJson } from '@vf/core/dialect';
import {
  array,
  assert,
  constant,
  constantFrom,
  double,
  float,
  integer,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyWithIds } from '../src/engine/body-with-ids.ts';
import { JsonNumbers } from '../src/engine/json-numbers.ts';
import { lifted } from '../src/engine/lifted.ts';
import { chosenList, chosenOf } from '../src/engine/vllm-logprobs.ts';

const opening = '"logprobs":{"content":[';

/** Tokens as vLLM writes them. */
const token = record({
  token_id: nat(200_000),
  logprob: oneof(
    float({ noNaN: true, noDefaultInfinity: true, max: 0 }),
    constantFrom(-9999, 0, -0),
  ),
  rank: option(integer({ min: 1, max: 200_000 })),
});
/** Its candidates: the token itself, others, or none. */
const entry = record({
  token,
  others: array(token, { maxLength: 2 }),
  isFirst: constantFrom(0, 1),
});
const answers = record({ entries: array(entry, { maxLength: 5 }), more: string() }).map(
  ({ entries, more }) =>
    JSON.stringify({
      request_id: more,
      choices: [
        {
          token_ids: entries.map((told) => told.token.token_id),
          logprobs: {
            content: entries.map((told) => ({
              ...told.token,
              top_logprobs: [...(told.isFirst === 1 ? [told.token] : []), ...told.others],
            })),
          },
          finish_reason: 'stop',
        },
      ],
    }),
);

const choiceOf = (answer: unknown) => objectOf(listOf(objectOf(answer)['choices'])[0]);

/** The answer without its list, and what the list says, however it was read. */
function read(text: string) {
  const { answer, list } = lifted(Buffer.from(text), chosenList);
  return { rest: withoutList(answer), chosen: list ?? chosenOf(choiceOf(answer)), list };
}

function parsed(text: string) {
  const answer = parseJson(text);
  return { rest: withoutList(answer), chosen: chosenOf(choiceOf(answer)) };
}

function withoutList(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const { logprobs: _, ...choice } = choiceOf(answer);
  return { ...answer, choices: [choice, ...listOf(answer['choices']).slice(1)] };
}

describe('an answer whose logprobs are read as numbers', () => {
  test('says what JSON.parse says', () => {
    assert(
      property(answers, (text) => {
        const { list, ...told } = read(text);
        expect(told).toEqual(parsed(text));
        expect(list).not.toBeNull();
      }),
    );
  });

  const wrong = oneof(
    constantFrom('"', '\\', '}', ']', ',', ' ', '[', 'null', 'NaN', '-', '1e999', '01', '{}', ''),
    constantFrom('-Infinity', '.5', '"x"', '1.0', '7E2', '"rank":1', opening, `${opening}]}`),
    string({ maxLength: 3 }),
  );

  test('says what JSON.parse says of an answer that is broken anywhere', () => {
    assert(
      property(answers, nat(), nat(6), wrong, (text, place, length, piece) => {
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + piece + text.slice(at + length);
        const { list: _, ...told } = read(broken);
        expect(told).toEqual(parsed(broken));
      }),
      { numRuns: 2000 },
    );
  });

  const list = '{"token_id":5,"logprob":-1,"rank":1,"top_logprobs":[]}]';
  test.each([
    ['beside the choice', `{"x":{${opening}${list}}},"choices":[{"logprobs":{"content":[]}}]}`],
    ['in a text', JSON.stringify({ request_id: `{${opening}${list}}`, choices: [] })],
    ['of the second choice', `{"choices":[{"logprobs":null},{${opening}${list}}}]}`],
    ['told twice', `{"choices":[{${opening}${list}},"logprobs":{"content":[]}}]}`],
    ['without an end', `{"choices":[{${opening}${list.slice(0, -2)}`],
    ['of nothing', `{"choices":[{${opening}`],
  ])('takes no list %s for that of the answer', (_, text) => {
    const { list: __, ...told } = read(text);
    expect(told).toEqual(parsed(text));
  });
});

describe('a number', () => {
  const numbers = oneof(
    double({ noNaN: true, noDefaultInfinity: true }).map(String),
    float({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    stringMatching(/^-?[0-9]{1,25}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/),
    stringMatching(/^[-+.eE0-9]{1,8}$/),
  );

  test('is what JSON.parse says, or none', () => {
    assert(
      property(numbers, constantFrom('', ',', ']', 'x'), (text, behind) => {
        const json = new JsonNumbers(Buffer.from(text + behind), 0);
        const value = json.number();
        const whole = parseJson(text);
        const isNumber = typeof whole === 'number';
        const end = isNumber ? text.length : json.at;
        const said = isNumber || !Number.isNaN(value) ? parseJson(text.slice(0, end)) : value;
        expect([value, json.at]).toEqual([said, end]);
      }),
      { numRuns: 5000 },
    );
  });
});

test('a body with ids is what JSON.stringify writes', () => {
  const usual = array(integer({ min: 0, max: 2 ** 18 - 1 }));
  const ids = oneof(usual, array(integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })));
  const rest = oneof(constant({}), record({ model: string(), n: integer() }));
  assert(
    property(ids, rest, (list, more) => {
      const body = bodyWithIds('token_ids', Int32Array.from(list), more);
      expect(body.toString()).toBe(JSON.stringify({ token_ids: list, ...more }));
    }),
  );
});
