import { describe, expect, test } from 'vitest';
import { passedOn, untakenSampling } from '../src/engine/engine-sampling.ts';

describe('settings beyond the usual ones [train/engine-request]', () => {
  test('go to the engine that takes them, unless they change nothing', () => {
    const extra = { repeat_penalty: 1.3, typical_p: 1, min_tokens: 4, made_up: 1 };
    expect(passedOn('llama.cpp', extra)).toEqual({ repeat_penalty: 1.3 });
    expect(passedOn('vllm', extra)).toEqual({ min_tokens: 4 });
    expect(passedOn('sglang', extra)).toEqual({});
  });

  test.each([
    ['llama.cpp', { min_tokens: 4, made_up: 1, typical_p: 0.9 }, ['min_tokens', 'made_up']],
    [
      'vllm',
      { repeat_penalty: 1.3, priority: 1, ignore_eos: true },
      ['repeat_penalty', 'ignore_eos'],
    ],
    ['sglang', { cache_salt: 'a', min_tokens: 4 }, ['min_tokens']],
    ['llama.cpp', { repetition_penalty: 1.1, n: 2 }, ['repetition_penalty', 'n']],
    ['llama.cpp', { n: 1, min_tokens: 0, ignore_eos: false, made_up: null }, []],
  ] as const)('that %s does not take are named: %j', (engine, extra, names) => {
    expect(untakenSampling(engine, { extra })).toEqual(names);
  });

  test('stop words are none for llama.cpp, which tells no logprobs for them', () => {
    expect(untakenSampling('llama.cpp', { stop: ['END'] })).toEqual(['stop']);
    expect(untakenSampling('llama.cpp', { stop: [] })).toEqual([]);
    expect(untakenSampling('vllm', { stop: ['END'] })).toEqual([]);
  });

  const bent = {
    temperature: 0.7,
    topP: 0.9,
    topK: 20,
    presencePenalty: 1,
    frequencyPenalty: 1,
    extra: { min_p: 0.1, min_tokens: 4 },
  };
  const filters = ['top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty'];

  test('what bends the probabilities goes only where the logprobs tell it', () => {
    expect(untakenSampling('llama.cpp', { ...bent, extra: { min_p: 0.1 } })).toEqual([]);
    expect(untakenSampling('vllm', bent, 'processed')).toEqual([]);
    expect(untakenSampling('vllm', bent)).toEqual(['temperature', ...filters, 'min_tokens']);
    expect(untakenSampling('vllm-chat', bent)).toEqual(['temperature', ...filters, 'min_tokens']);
    expect(untakenSampling('sglang', { ...bent, extra: { min_p: 0.1 } })).toEqual(filters);
    for (const engine of ['sglang', 'vllm', 'vllm-chat'] as const)
      for (const temperature of [0, 1e-6])
        expect(untakenSampling(engine, { temperature }, 'processed')).toEqual(['temperature']);
    expect(untakenSampling('llama.cpp', { temperature: 0 })).toEqual([]);
  });

  test('what changes nothing passes', () => {
    const idle = { temperature: 1, topP: 1, topK: 0, presencePenalty: 0, extra: { min_p: 0 } };
    for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
      expect(untakenSampling(engine, idle)).toEqual([]);
      const told = { return_token_ids: true, return_tokens_as_token_ids: true, logprobs: 1 };
      expect(untakenSampling(engine, { extra: told })).toEqual([]);
    }
  });

  test('that nobody but the agent or the chat template would read are named', () => {
    const sampling = { temperature: 1, reasoningEffort: 'high', parallelToolCalls: false };
    expect(untakenSampling('vllm', sampling)).toEqual(['reasoning_effort']);
    expect(untakenSampling('vllm-chat', sampling)).toEqual([]);
  });
});
