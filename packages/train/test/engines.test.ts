import type { Settings } from '@vf/core';
import { numberOf, objectOf } from '@vf/core/dialect';
import { SendFailed } from '@vf/core/errors';
import { describe, expect, test } from 'vitest';
import { checkSample } from '../src/check-sample.ts';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import type {
  Engine,
  EngineId,
  EngineOptions,
  Sample,
  SampleRequest,
} from '../src/engine/engine.ts';
import { makeEngine } from '../src/engine/make-engine.ts';
import type { Recorded } from './recorded.ts';
import { answering, recorded } from './recorded.ts';

const vocabulary = 49_152;
const stopIds = [2];
const signal = new AbortController().signal;

const promptOf = (length: number): Int32Array => Int32Array.from({ length }, (_, at) => at + 1);

function asking(settings: Partial<Settings> = {}, promptIds = promptOf(4)): SampleRequest {
  return {
    model: 'smollm2-135m-instruct',
    promptIds,
    settings: { model: 'smollm2-135m-instruct', stream: false, ...settings },
    stopIds,
    recordedLength: 0,
    room: 60,
    session: 'rollout-1',
  };
}

async function ask(
  id: EngineId,
  answer: Recorded['response'] | 'hang up',
  settings: Partial<Settings> = {},
  options: Partial<EngineOptions> = {},
) {
  await using server = await answering(answer);
  const engine = makeEngine(id, { baseUrl: server.url, ...options });
  try {
    const request = asking(settings, promptOf(promptLength(answer)));
    const sample = await engine.sample(request, signal);
    return { sample, received: server.received };
  } finally {
    await engine.close();
  }
}

/** Of the prompt that a recorded answer was given to. */
function promptLength(answer: Recorded['response'] | 'hang up'): number {
  if (answer === 'hang up') return 4;
  const body = objectOf(answer.body);
  const told = [
    body['tokens_evaluated'],
    objectOf(body['usage'])['prompt_tokens'],
    objectOf(body['meta_info'])['prompt_tokens'],
  ];
  return told.map(numberOf).find((count) => count !== null) ?? 4;
}

const closing = (engine: Engine) =>
  Object.assign(engine, { [Symbol.asyncDispose]: () => engine.close() });

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

async function failureOf(promise: Promise<unknown>) {
  const error = await rejection(promise);
  expect(error).toBeInstanceOf(EngineFailed);
  return (error as EngineFailed).error;
}

describe('recorded samples', () => {
  test.each([
    ['llama.cpp', 'llama-cpp', 'completion ids to eos', 27, 'stop'],
    ['llama.cpp', 'llama-cpp', 'completion ids sampled', 12, 'length'],
    ['vllm', 'vllm', 'generate', 8, 'stop'],
    ['vllm', 'vllm', 'generate cut by length', 3, 'length'],
    ['sglang', 'sglang', 'generate after update', 8, 'stop'],
    ['sglang', 'sglang', 'generate sampled', 24, 'length'],
  ] as const)('%s: %s, %s [train/engine-samples]', async (id, file, name, count, finish) => {
    const { sample } = await ask(id, recorded(file, name).response);
    const checked = checkSample(id, sample, stopIds, vocabulary);
    expect(checked.completionIds.length).toBe(count);
    expect(checked.logprobs.length).toBe(count);
    expect(checked.finish).toBe(finish);
    expect(checked.completionIds.at(-1) === 2).toBe(finish === 'stop');
    expect(checked.logprobs.some((value) => value < -0.01)).toBe(true);
  });

  test('vllm tells experts from the last recorded token on, and the mask [train/side-data]', async () => {
    await using server = await answering({
      status: 200,
      body: {
        choices: [
          {
            token_ids: [7, 2],
            finish_reason: 'stop',
            logprobs: { content: [7, 2].map((id) => ({ token_id: id, logprob: -1 })) },
            routed_experts: { data: 'AQID', shape: [3, 1, 1], start: 2, dtype: 'uint8' },
            sampling_mask: [[7, 8], [2]],
          },
        ],
      },
    });
    await using engine = closing(makeEngine('vllm', { baseUrl: server.url }));
    const sample = await engine.sample({ ...asking(), recordedLength: 3 }, signal);
    expect(server.received[0]?.body).toMatchObject({
      sampling_params: { routed_experts_prompt_start: 2 },
    });
    expect(checkSample('vllm', sample, stopIds, vocabulary)).toMatchObject({
      routedExperts: { rows: Uint8Array.of(1, 2, 3), layers: 1, topK: 1, start: 2 },
      samplingMask: { ids: Int32Array.of(7, 8, 2), counts: Int32Array.of(2, 1) },
    });
  });

  test('llama.cpp: probabilities after the samplers become logprobs [train/engine-samples]', async () => {
    const { sample, received } = await ask(
      'llama.cpp',
      recorded('llama-cpp', 'completion post_sampling_probs').response,
      { temperature: 0.7 },
    );
    expect(received[0]?.body).toMatchObject({ post_sampling_probs: true, temperature: 0.7 });
    expect(checkSample('llama.cpp', sample, stopIds, vocabulary).logprobs.length).toBe(3);
  });

  test('a setting of the engine itself reaches it, and what it bends is told [train/engine-request]', async () => {
    const own = { repeat_penalty: 1.3, typical_p: 0.9, made_up: 1 };
    const answer = recorded('llama-cpp', 'completion post_sampling_probs').response;
    const { received } = await ask('llama.cpp', answer, { extra: own });
    expect(received[0]?.body).toMatchObject({
      repeat_penalty: 1.3,
      typical_p: 0.9,
      post_sampling_probs: true,
    });
    expect(received[0]?.body).not.toHaveProperty('made_up');
    const generated = recorded('vllm', 'generate').response;
    const least = { extra: { min_tokens: 4 } };
    const failure = await failureOf(ask('vllm', generated, least));
    expect(failure.message).toContain('processed');
    const told = await ask('vllm', generated, least, { logprobs: 'processed' });
    expect(told.received[0]?.body).toMatchObject({ sampling_params: { min_tokens: 4 } });
  });

  test('vLLM hears the session, the salt and the priority at the top [train/engine-request]', async () => {
    const extra = { cache_salt: 'policy-3', priority: 2 };
    const { received } = await ask('vllm', recorded('vllm', 'generate').response, { extra });
    expect(received[0]).toMatchObject({
      path: '/inference/v1/generate',
      headers: { 'x-session-id': 'rollout-1' },
      body: {
        token_ids: [...promptOf(38)],
        cache_salt: 'policy-3',
        priority: 2,
        sampling_params: {
          max_tokens: 60,
          temperature: 1,
          top_p: 1,
          top_k: 0,
          min_p: 0,
          logprobs: 1,
          stop_token_ids: [2],
          skip_special_tokens: false,
        },
      },
    });
  });

  test.each([
    ['llama.cpp', 'llama-cpp', 'props', 4095],
    ['vllm', 'vllm', 'models', 2048],
    ['sglang', 'sglang', 'models', 2048],
  ] as const)('%s tells its context [train/context-length]', async (id, file, name, length) => {
    await using server = await answering(recorded(file, name).response);
    const engine = makeEngine(id, { baseUrl: server.url });
    expect(await engine.contextLength('smollm2-135m-instruct', signal)).toBe(length);
    await engine.close();
  });
});

describe('recorded refusals', () => {
  test.each([
    ['llama.cpp', 'llama-cpp', 'completion ids overflow', 'context_length'],
    ['llama.cpp', 'llama-cpp', 'completion id over vocab', 'invalid'],
    ['vllm', 'vllm', 'generate overflow', 'context_length'],
    ['vllm', 'vllm', 'generate unknown model', 'not_found'],
    ['sglang', 'sglang', 'generate overflow', 'context_length'],
  ] as const)('%s: %s, %s [train/engine-errors]', async (id, file, name, code) => {
    const { response } = recorded(file, name);
    expect(await failureOf(ask(id, response))).toMatchObject({ status: response.status, code });
  });

  test('a connection that breaks is a failure to send [train/engine-errors]', async () => {
    const error = await rejection(ask('llama.cpp', 'hang up'));
    expect(SendFailed.isInstance(error) && error.code).toBe('reset');
  });

  test('an abort is one [train/engine-errors]', async () => {
    await using server = await answering('hang up');
    const engine = makeEngine('vllm', { baseUrl: server.url });
    const error = await rejection(engine.sample(asking(), AbortSignal.abort()));
    await engine.close();
    expect(SendFailed.isInstance(error) && error.code).toBe('aborted');
  });

  test.each([
    ['vllm', { choices: [{ finish_reason: 'abort', token_ids: [] }] }],
    [
      'sglang',
      {
        output_ids: [],
        meta_info: { finish_reason: { type: 'abort' }, completion_tokens: 0 },
      },
    ],
  ] as const)(
    '%s that gives a call up again and again may be asked later [train/engine-errors]',
    async (id, body) => {
      const { code } = await failureOf(ask(id, { status: 200, body }));
      expect(code).toBe('overloaded');
    },
  );

  test.each([
    ['llama.cpp', { tokens: [5], completion_probabilities: [{ id: 5, logprob: -1 }], stop: false }],
    ['vllm', { choices: [{ token_ids: [5], finish_reason: null }] }],
    ['sglang', { output_ids: [5], meta_info: { finish_reason: null, completion_tokens: 1 } }],
  ] as const)(
    '%s that ends its stream in the middle may be asked again [train/engine-errors]',
    async (id, event) => {
      const body = `data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`;
      await using server = await answering({ status: 200, body });
      const engine = makeEngine(id, { baseUrl: server.url });
      const { code } = await failureOf(engine.sample(asking(), signal, () => undefined));
      expect(code).toBe('cut');
      await engine.close();
    },
  );

  test.each([
    ['llama.cpp', {}],
    ['vllm', { choices: [] }],
    ['sglang', { text: 'Hi' }],
  ] as const)('%s: an answer without tokens, %j [train/no-sample]', async (id, body) => {
    expect(await failureOf(ask(id, { status: 200, body }))).toMatchObject({ code: 'malformed' });
  });

  test.each([
    [
      'llama.cpp',
      { tokens: [5, 6], stop_type: 'eos', completion_probabilities: [{ id: 5, logprob: -1 }] },
    ],
    [
      'llama.cpp',
      { tokens: [5], stop_type: 'eos', completion_probabilities: [{ id: 6, logprob: -1 }] },
    ],
    ['llama.cpp', { tokens: [5], stop_type: 'eos', truncated: true }],
    [
      'vllm',
      {
        choices: [
          {
            finish_reason: 'stop',
            token_ids: [5],
            logprobs: { content: [{ token_id: 6, logprob: -1 }] },
          },
        ],
      },
    ],
    [
      'sglang',
      { output_ids: [5], meta_info: { finish_reason: { type: 'stop' }, completion_tokens: 2 } },
    ],
    [
      'sglang',
      {
        output_ids: [5],
        meta_info: {
          finish_reason: { type: 'stop' },
          completion_tokens: 1,
          output_token_logprobs: [[-1, 6, null]],
        },
      },
    ],
  ] as const)('%s: an answer that is no sample, %j [train/no-sample]', async (id, body) => {
    expect(await failureOf(ask(id, { status: 200, body }))).toEqual(
      expect.objectContaining({ status: 400, code: 'no_sample' }),
    );
  });
});

describe('settings whose probabilities are not told', () => {
  const answers = {
    vllm: recorded('vllm', 'generate').response,
    sglang: recorded('sglang', 'generate sampled').response,
    'llama.cpp': recorded('llama-cpp', 'completion ids sampled').response,
  };
  test.each([
    ['vllm', { temperature: 0.7 }, /raw logprobs/],
    ['vllm', { topP: 0.9 }, /raw logprobs/],
    ['sglang', { topK: 20 }, /top_k/],
    ['sglang', { temperature: 0 }, /greedy/],
    ['llama.cpp', { stop: ['END'] }, /stop/],
    ['llama.cpp', { responseFormat: 'json' }, /response_format/],
    ['vllm', { toolChoice: 'required' }, /tool_choice/],
    ['vllm', { extra: { logit_bias: { 5: 1 } } }, /logit_bias/],
  ] as const)('%s refuses %j by name [train/untold-logprobs]', async (id, settings, words) => {
    const { code, message } = await failureOf(ask(id, answers[id], settings));
    expect({ code, named: words.test(message) }).toEqual({ code: 'invalid', named: true });
  });

  test('vLLM with processed logprobs takes a temperature and filters [train/untold-logprobs]', async () => {
    const options = { logprobs: 'processed' } as const;
    const settings = { temperature: 0.7, topP: 0.9 };
    const { sample } = await ask('vllm', answers.vllm, settings, options);
    expect(sample.ids).toHaveLength(8);
    const { code, message } = await failureOf(
      ask('vllm', answers.vllm, { temperature: 0 }, options),
    );
    expect({ code, message }).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('greedy') as string,
    });
  });
});

describe('a sample', () => {
  const good: Sample = {
    ids: [5, 6],
    logprobs: [-1, -2],
    finish: 'length',
    rawFinish: 'limit',
    cached: null,
  };
  test.each([
    ['no logprobs', { logprobs: [] }, /no logprobs/],
    ['no token', { ids: [], logprobs: [] }, /no token/],
    ['a logprob too few', { logprobs: [-1] }, /1 logprobs for 2 tokens/],
    ['an id out of the vocabulary', { ids: [5, vocabulary] }, /does not have/],
    ['a negative id', { ids: [5, -1] }, /does not have/],
    ['a logprob that is no number', { logprobs: [-1, Number.NaN] }, /NaN/],
    ['the stand-in for no probability', { logprobs: [-1, -9999] }, /-9999/],
    ['a positive logprob', { logprobs: [-1, 0.5] }, /0.5/],
  ])('with %s is none [train/no-sample]', (_, fault, words) => {
    expect(() => checkSample('vllm', { ...good, ...fault }, stopIds, vocabulary)).toThrow(words);
  });

  test('ends with its first stop id [train/stop-id]', () => {
    const sample = { ...good, ids: [5, 2, 7], logprobs: [-1, -2, -3] };
    const { completionIds, logprobs, finish } = checkSample('vllm', sample, stopIds, vocabulary);
    expect([[...completionIds], [...logprobs], finish]).toEqual([[5, 2], [-1, -2], 'stop']);
  });
});

describe('a failure has one name, plain and streamed [train/engine-errors]', () => {
  const ways = (['llama.cpp', 'vllm', 'sglang'] as const).flatMap((id) =>
    [
      [400, 'invalid_request_error', 'the grammar is broken'],
      [400, 'exceed_context_size_error', 'the request exceeds the available context size'],
      [503, 'unavailable_error', 'Loading model'],
      [500, 'server_error', 'the batch is broken'],
    ].map(([code, type, message]) => ({ id, error: { code, type, message } })),
  );

  test.each(ways)('$id: $error.message', async ({ id, error }) => {
    const failed = async (answer: Recorded['response'], isStreamed: boolean) => {
      await using server = await answering(answer);
      await using engine = closing(makeEngine(id, { baseUrl: server.url }));
      const heard = isStreamed ? () => undefined : undefined;
      return await failureOf(engine.sample(asking(), signal, heard));
    };
    const plain = await failed({ status: Number(error.code), body: { error } }, false);
    const data = `data: ${JSON.stringify({ error })}\n\n`;
    expect(await failed({ status: 200, body: data }, true)).toEqual(plain);
    expect(plain.status).toBe(error.code);
  });
});
