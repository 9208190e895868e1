import { defineTaskset, z } from '@vf/core';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'sum', prompt: 'What is 3 + 4?' }],
  rewards: { one: () => 1 },
});

/** All that llama.cpp takes of a run, in the words of a config. */
const sampling = {
  temperature: 0.7,
  top_p: 0.9,
  top_k: 40,
  min_p: 0.05,
  presence_penalty: 0.25,
  frequency_penalty: 0.5,
  repeat_penalty: 1.1,
};

test.each(
  ['chat-completions', 'responses', 'messages'].flatMap((dialect) =>
    [false, true].map((stream) => [dialect, stream] as const),
  ),
)(
  'over %s (streamed: %s) the engine is asked for all that the run samples with [train/run-sampling]',
  async (dialect, stream) => {
    await using engine = await engineServer(() => '7<|im_end|>');
    const keys = Object.entries({ ...sampling, seed: 3, max_tokens: 12 });
    const { trace } = await play({
      taskset,
      model: engine,
      config: {
        ...engine.config,
        ...Object.fromEntries(keys.map(([key, value]) => [`sampling.${key}`, value])),
        'client.dialects': [dialect],
        'harness.stream': stream,
      },
    });
    const { seed } = trace('sum').agent.sampling;
    expect(seed).toEqual(expect.any(Number));
    expect(engine.sampled.map(({ asked }) => asked)).toMatchObject([
      { ...sampling, seed, n_predict: 12 },
    ]);
  },
);
