import type { Settings } from '@vf/core';
import { expect, onTestFinished, test } from 'vitest';
import { makeEngine } from '../src/engine/make-engine.ts';
import { answering, recorded } from './recorded.ts';

const { signal } = new AbortController();
const answer = recorded('llama-cpp', 'completion ids sampled').response;

/** The request that llama.cpp hears. */
async function asked(settings: Partial<Settings> = {}) {
  await using server = await answering(answer);
  const engine = makeEngine('llama.cpp', { baseUrl: server.url });
  onTestFinished(() => engine.close());
  await engine.sample(
    {
      model: 'policy',
      promptIds: Int32Array.from({ length: 38 }, (_, at) => at + 1),
      recordedLength: 0,
      settings: { model: 'policy', stream: false, ...settings },
      stopIds: [2],
      room: 60,
      session: 'rollout-1',
    },
    signal,
  );
  return server.received[0]?.body;
}

test('llama.cpp leaves its cache alone when told so [train/engine-request]', async () => {
  expect(await asked({ extra: { cache_prompt: false } })).toMatchObject({ cache_prompt: false });
  expect(await asked()).toMatchObject({ cache_prompt: true });
});

test('what llama.cpp was started with, or a model file names, changes nothing [train/engine-request]', async () => {
  expect(await asked()).toMatchObject({
    temperature: 1,
    top_p: 1,
    top_k: 0,
    min_p: 0,
    repeat_penalty: 1,
    typical_p: 1,
    xtc_probability: 0,
    dry_multiplier: 0,
    mirostat: 0,
    post_sampling_probs: false,
  });
});
