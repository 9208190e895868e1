import { parseJson, objectOf } from '@vf/core/dialect';
import { assert, constantFrom, nat, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SampledTokens } from '../src/engine/sampled-tokens.ts';
import { choiceOf, readAnswer, takeAnswer } from '../src/engine/vllm-answer.ts';
import { choices } from './vllm-answers.ts';

const answers = choices(5)
  .chain((choice) => string().map((id) => ({ request_id: id, choices: [choice] })))
  .map((answer) => JSON.stringify(answer));

/** The answer without its lists, and what they say. */
function told(answer: unknown, tokens: SampledTokens) {
  const { token_ids: _, logprobs: __, ...choice } = choiceOf(answer);
  const { choices: ___, ...rest } = objectOf(answer);
  return { rest, choice, ids: [...tokens.ids], logprobs: [...tokens.logprobs] };
}

/** null: it is written in another way. */
function read(text: string) {
  const tokens = new SampledTokens();
  const form = readAnswer(Buffer.from(text), tokens);
  expect(form !== null || tokens.count + tokens.told === 0).toBe(true);
  return form === null ? null : told(form.answer, tokens);
}

function parsed(text: string) {
  const answer = parseJson(text);
  const tokens = new SampledTokens();
  const areOwn = takeAnswer(objectOf(answer), tokens);
  return { ...told(answer, tokens), areOwn };
}

describe('an answer whose lists are read as numbers', () => {
  test('says what JSON.parse says', () => {
    assert(
      property(answers, (text) => {
        expect({ ...read(text), areOwn: true }).toEqual(parsed(text));
      }),
    );
  });

  const lists = '"token_ids":[5],"logprobs":{"content":[';
  const wrong = oneof(
    constantFrom('"', '\\', '}', ']', ',', ' ', '[', 'null', 'NaN', '-', '1e999', '01', '{}', ''),
    constantFrom('-Infinity', '.5', '"x"', '1.0', '7E2', '"rank":1', '"token_ids":[1]', lists),
    string({ maxLength: 3 }),
  );

  test('says what JSON.parse says of an answer that is broken anywhere, or is not read so', () => {
    assert(
      property(answers, nat(), nat(6), wrong, (text, place, length, piece) => {
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + piece + text.slice(at + length);
        const fast = read(broken);
        const whole = parsed(broken);
        expect(fast === null ? whole : { ...fast, areOwn: true }).toEqual(whole);
      }),
      { numRuns: 4000 },
    );
  });

  const list = '{"token_id":5,"logprob":-1,"rank":1,"top_logprobs":[]}]';
  const ids = '"token_ids":[5]';
  const opening = '"logprobs":{"content":[';
  test.each([
    ['beside the choice', `{"x":{${ids},${opening}${list}}},"choices":[{"logprobs":null}]}`],
    ['in a text', JSON.stringify({ request_id: `{${ids},${opening}${list}}`, choices: [] })],
    ['of the second choice', `{"choices":[{"logprobs":null},{${ids},${opening}${list}}}]}`],
    ['told twice', `{"choices":[{${ids},${opening}${list}},"logprobs":{"content":[]}}]}`],
    ['with the ids told twice', `{"choices":[{${ids},${ids},${opening}${list}}}]}`],
    ['of other tokens', `{"choices":[{"token_ids":[6],${opening}${list}}}]}`],
    ['of fewer tokens', `{"choices":[{"token_ids":[5,6],${opening}${list}}}]}`],
    ['of more tokens', `{"choices":[{"token_ids":[],${opening}${list}}}]}`],
    ['in front of the ids', `{"choices":[{${opening}${list}},${ids}}]}`],
    ['without an end', `{"choices":[{${ids},${opening}${list.slice(0, -2)}`],
    ['of nothing', `{"choices":[{${ids},${opening}`],
  ])('takes no list %s for that of the answer', (_, text) => {
    expect(read(text)).toBeNull();
  });
});
