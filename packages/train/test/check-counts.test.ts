import { describe, expect, test } from 'vitest';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import type { EngineId, OnIds, SampleRequest } from '../src/engine/engine.ts';
import { makeEngine } from '../src/engine/make-engine.ts';
import { answering } from './recorded.ts';
import { requestOf } from './scripted.ts';

const signal = new AbortController().signal;

/** What an engine says of two tokens behind a prompt of two; a number changed by `told`. */
interface Told {
  readonly prompt?: number;
  readonly sampled?: number;
  readonly weights?: unknown;
  readonly raw?: boolean;
}

const answers: Readonly<Record<EngineId, (told: Told) => object>> = {
  'llama.cpp': ({ prompt = 2, sampled = 2, raw = false }) => ({
    tokens: [5, 9],
    stop_type: 'eos',
    tokens_evaluated: prompt,
    tokens_predicted: sampled,
    completion_probabilities: [5, 9].map((id) =>
      raw ? { id, logprob: -0.7 } : { id, prob: 0.5, logprob: undefined },
    ),
  }),
  vllm: ({ prompt = 2, sampled = 2, weights }) => ({
    choices: [
      {
        token_ids: [5, 9],
        finish_reason: 'stop',
        logprobs: { content: [5, 9].map((id) => ({ token_id: id, logprob: -0.7 })) },
        weight_versions: weights,
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: sampled },
  }),
  sglang: ({ prompt = 2, sampled = 2, weights }) => ({
    output_ids: [5, 9],
    meta_info: {
      finish_reason: { type: 'stop' },
      prompt_tokens: prompt,
      completion_tokens: sampled,
      output_token_logprobs: [5, 9].map((id) => [-0.7, id, null]),
      weight_versions: weights,
    },
  }),
};

async function ask(
  id: EngineId,
  body: object,
  changes: Partial<SampleRequest> = {},
  onIds?: OnIds,
): Promise<unknown> {
  const answer = onIds === undefined ? body : `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`;
  await using server = await answering({ status: 200, body: answer });
  const engine = makeEngine(id, { baseUrl: server.url });
  try {
    const sample = await engine.sample({ ...requestOf('rollout'), ...changes }, signal, onIds);
    return { ...sample, ids: Array.from(sample.ids) };
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
    return error.error;
  } finally {
    await engine.close();
  }
}

const ways = (['llama.cpp', 'vllm', 'sglang'] as const).flatMap((id) =>
  [undefined, () => undefined].map((onIds) => ({ id, onIds })),
);

describe.each(ways)('$id, streamed: $onIds [train/no-sample]', ({ id, onIds }) => {
  const answer = answers[id];

  test('an answer whose counts are those of the request is a sample', async () => {
    expect(await ask(id, answer({}), {}, onIds)).toMatchObject({ ids: [5, 9] });
  });

  test.each([
    ['a longer prompt', { prompt: 3 }, 'read a prompt of 3 tokens where 2 were sent'],
    ['a shorter prompt', { prompt: 1 }, 'read a prompt of 1 tokens where 2 were sent'],
    ['fewer tokens', { sampled: 1 }, 'counted 1 tokens and gave 2'],
  ])('one that counts %s is none', async (_what, told, message) => {
    expect(await ask(id, answer(told), {}, onIds)).toMatchObject({
      code: 'no_sample',
      message: expect.stringContaining(message),
    });
  });

  test('one of more tokens than were asked for is none', async () => {
    expect(await ask(id, answer({}), { room: 1 }, onIds)).toMatchObject({
      code: 'no_sample',
      message: expect.stringContaining('at most 1'),
    });
  });

  test('one that holds a failure tells that', async () => {
    const body = { error: { message: 'out of memory', code: 500 } };
    expect(await ask(id, body, {}, onIds)).toMatchObject({ message: 'out of memory' });
  });
});

test.each(['vllm', 'sglang'] as const)(
  '%s: a version of the weights that is a number is its name, one without a name is refused [train/no-sample]',
  async (id) => {
    const numbered = answers[id]({ weights: [{ version: 7, start: 0, end: 2 }] });
    expect(await ask(id, numbered)).toMatchObject({
      weights: [{ version: '7', start: 0, end: 2 }],
    });
    const nameless = answers[id]({ weights: [{ start: 0, end: 2 }] });
    expect(await ask(id, nameless)).toMatchObject({ code: 'no_sample' });
  },
);

describe('llama.cpp that tells logprobs from before its samplers [train/filtered]', () => {
  test.each([{ temperature: 0.5 }, { topP: 0.9 }, { topK: 5 }, { presencePenalty: 1 }])(
    'gives no sample under %j',
    async (sampling) => {
      const { settings } = requestOf('rollout');
      const changes = { settings: { ...settings, ...sampling } };
      const raw = await ask('llama.cpp', answers['llama.cpp']({ raw: true }), changes);
      expect(raw).toMatchObject({
        code: 'no_sample',
        message: expect.stringContaining('from before temperature and filters'),
      });
      expect(await ask('llama.cpp', answers['llama.cpp']({}), changes)).toMatchObject({
        ids: [5, 9],
      });
    },
  );

  test('gives one where nothing bends them', async () => {
    expect(await ask('llama.cpp', answers['llama.cpp']({ raw: true }))).toMatchObject({
      logprobs: [-0.7, -0.7],
    });
  });
});
