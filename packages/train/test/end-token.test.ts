import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSample } from '../src/check-sample.ts';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import type { EngineId, Sample } from '../src/engine/engine.ts';
import { makeEngine } from '../src/engine/make-engine.ts';
import { answering } from './recorded.ts';
import { requestOf } from './scripted.ts';

const { signal } = new AbortController();
const vocabulary = 20;
const stopIds = [9, 8];

interface Told {
  readonly ids: readonly number[];
  readonly finish: 'stop' | 'length';
}

/** What an engine answers that ended so, all of it at once and as the one event of a stream. */
const answers: Readonly<Record<EngineId, (told: Told) => object>> = {
  'llama.cpp': ({ ids, finish }) => ({
    tokens: ids,
    stop_type: finish === 'stop' ? 'eos' : 'limit',
    completion_probabilities: ids.map((id) => ({ id, logprob: -0.7 })),
  }),
  vllm: ({ ids, finish }) => ({
    choices: [
      {
        token_ids: ids,
        finish_reason: finish,
        logprobs: { content: ids.map((id) => ({ token_id: id, logprob: -0.7 })) },
      },
    ],
  }),
  sglang: ({ ids, finish }) => ({
    output_ids: ids,
    meta_info: {
      finish_reason: { type: finish, matched: ids.at(-1) },
      completion_tokens: ids.length,
      output_token_logprobs: ids.map((id) => [-0.7, id, null]),
    },
  }),
};

async function sampled(id: EngineId, told: Told, isStreamed: boolean): Promise<Sample> {
  const answer = answers[id](told);
  const body = isStreamed ? `data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n` : answer;
  await using server = await answering({ status: 200, body });
  const engine = makeEngine(id, { baseUrl: server.url });
  try {
    return await engine.sample(
      requestOf('rollout'),
      signal,
      isStreamed ? () => undefined : undefined,
    );
  } finally {
    await engine.close();
  }
}

/** The ids to train on, or why there are none. */
function outcome(sample: Sample, stop: readonly string[]): readonly number[] | string {
  try {
    return [...checkSample('x', sample, stopIds, vocabulary, stop).completionIds];
  } catch (error) {
    if (error instanceof EngineFailed) return error.message;
    throw error;
  }
}

const ways = (['llama.cpp', 'vllm', 'sglang'] as const).flatMap((id) =>
  [false, true].map((isStreamed) => ({ id, isStreamed })),
);

describe.each(ways)('$id, streamed: $isStreamed [train/end-token]', ({ id, isStreamed }) => {
  test('a reply that ended by itself is a sample if it has an end token', async () => {
    const ids = array(nat(vocabulary - 1), { minLength: 1, maxLength: 10 });
    const told = record({ ids, finish: constantFrom('stop', 'length') });
    const property = asyncProperty(told, async (one) => {
      const sample = await sampled(id, one, isStreamed);
      const first = one.ids.findIndex((each) => stopIds.includes(each));
      const kept = first < 0 ? one.ids : one.ids.slice(0, first + 1);
      expect(outcome(sample, ['END'])).toEqual(kept);
      const isLost = first < 0 && one.finish === 'stop';
      const lost = expect.stringContaining(
        `with token ${one.ids.at(-1)}, which is no end`,
      ) as string;
      expect(outcome(sample, [])).toEqual(isLost ? lost : kept);
    });
    await assert(property, { numRuns: 40 });
  });
});

test('where nobody knows the end tokens, nothing is lost [train/end-token]', () => {
  const sample = {
    ids: [5, 6],
    logprobs: [-1, -2],
    finish: 'stop',
    rawFinish: 'stop',
    cached: null,
  } as const;
  expect(checkSample('vllm', sample, [], vocabulary).completionIds).toHaveLength(2);
});
