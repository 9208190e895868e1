import { isObject, listOf, objectOf, parseJson } from '@vf/core/dialect';
import { createParser } from 'eventsource-parser';
import {
  array,
  assert,
  constant,
  constantFrom,
  nat,
  oneof,
  option,
  property,
  record,
  string,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import { SampledTokens } from '../src/engine/sampled-tokens.ts';
import { choiceOf, takeAnswer } from '../src/engine/vllm-answer.ts';
import { VllmEvents } from '../src/engine/vllm-events.ts';
import { choices } from './vllm-answers.ts';

const usage = record({ prompt_tokens: nat(9), completion_tokens: nat(9) });
const other = oneof(
  constant({ choices: [] }),
  constant({}),
  record({ choices: constant([]), usage }),
  constant({ choices: [{ index: 0, finish_reason: 'length' }] }),
  constant({ choices: [{ token_ids: [5], logprobs: null }] }),
  constant({ choices: [{ token_ids: [5, 7], logprobs: { content: [{ token_id: 5 }] } }] }),
);
/** Events mostly alike, as those of one stream are, and some of other kinds. */
const event = oneof(
  {
    weight: 6,
    arbitrary: choices(2).map((choice) => ({ id: 'é', usage: null, choices: [choice] })),
  },
  {
    weight: 1,
    arbitrary: record({ id: string(), usage: option(usage), choices: array(choices(2)) }),
  },
  { weight: 1, arbitrary: other },
).map((answer) => JSON.stringify(answer));
const data = oneof(
  { weight: 20, arbitrary: event },
  { weight: 1, arbitrary: constantFrom('[DONE]', '{"error":null}', '[]', '{"choices":[{"x') },
  { weight: 1, arbitrary: constant('{"error":{"message":"no","code":500}}') },
);
const framed = record({
  data,
  before: constantFrom('', '', '', ': beat\n', 'event: x\n', ':\n\n'),
  prefix: constantFrom('data: ', 'data: ', 'data: ', 'data:'),
  behind: constantFrom('\n\n', '\n\n', '\n\n', '\n\n\n', '\r\n\r\n', '\n\r\n', '\r\r'),
}).map((parts) => parts.before + parts.prefix + parts.data + parts.behind);

/** What a stream says when each of its events is parsed as JSON; null when it tells a failure. */
function parsed(text: string) {
  const tokens = new SampledTokens();
  let told = { areOwn: true, choice: {}, usage: null as unknown };
  const maskRows: unknown[] = [];
  let isFailed = false;
  const parser = createParser({
    onEvent({ data: said }) {
      if (said === '[DONE]' || isFailed) return;
      const answer = parseJson(said);
      isFailed = !isObject(answer) || answer['error'] != null;
      if (isFailed || !isObject(answer)) return;
      const areOwn = takeAnswer(answer, tokens) && told.areOwn;
      const isChoice = listOf(answer['choices'])[0] !== undefined;
      const choice = isChoice ? choiceOf(answer) : told.choice;
      if (isChoice) maskRows.push(...listOf(objectOf(choice)['sampling_mask']));
      told = { areOwn, choice, usage: answer['usage'] ?? told.usage };
    },
  });
  parser.feed(text);
  const choice = maskRows.length === 0 ? told.choice : { ...told.choice, sampling_mask: maskRows };
  return isFailed ? null : toldBy({ ...told, choice, tokens });
}

/** @param cuts where the bytes are cut */
function read(text: string, cuts: readonly number[]) {
  const bytes = Buffer.from(text);
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  const events = new VllmEvents();
  try {
    for (const [at, place] of [...places, bytes.length].entries()) {
      events.push(bytes.subarray(places[at - 1] ?? 0, place));
    }
  } catch (error) {
    if (error instanceof EngineFailed) return null;
    throw error;
  }
  return toldBy(events);
}

function toldBy({ tokens, areOwn, choice, usage: counts }: Omit<VllmEvents, 'push'>) {
  const { token_ids: _, logprobs: __, ...rest } = objectOf(choice);
  const logprobs = areOwn ? [...tokens.logprobs] : null;
  return { ids: [...tokens.ids], logprobs, areOwn, choice: rest, usage: counts };
}

describe('the events of a stream', () => {
  test('say the same however they are read and wherever they are cut', () => {
    assert(
      property(array(framed, { maxLength: 12 }), array(nat(), { maxLength: 6 }), (frames, cuts) => {
        const text = frames.join('');
        expect(read(text, cuts)).toEqual(parsed(text));
      }),
      { numRuns: 1500 },
    );
  });

  test('are read without their JSON when they are alike', () => {
    const answer = (id: number): object => ({
      choices: [
        {
          token_ids: [id],
          logprobs: { content: [{ token_id: id, logprob: -0.5, rank: 1, top_logprobs: [] }] },
        },
      ],
    });
    const text = (id: number): string => `data: ${JSON.stringify(answer(id))}\n\n`;
    const events = new VllmEvents();
    events.push(Buffer.from(text(1)));
    const { choice } = events;
    events.push(Buffer.from([2, 3, 4].map(text).join('')));
    expect([...events.tokens.ids]).toEqual([1, 2, 3, 4]);
    expect(events.choice).toBe(choice);
  });
});
