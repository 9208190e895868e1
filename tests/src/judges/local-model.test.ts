import { LocalModelUnavailable, startLocalModel } from '@vf/local-model';
import { defineTaskset, z } from '@vf/core';
import { judge } from '@vf/judge';
import { afterAll, expect, test } from 'vitest';
import { play, rescore } from '../run/play.ts';

/** A busy machine makes the model a hundred times slower. */
const limit = 600_000;

/** Stands in the type for a model that a machine without Python has not. */
const neverAsked = { url: '', model: '' };

const model = await startLocalModel().catch((error: unknown) => {
  if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
  throw error;
});

afterAll(() => model?.stop());

test.runIf(model !== null)(
  'a real small model is held to the form of a verdict by its server, and asked once',
  { timeout: limit },
  async () => {
    const animal = judge({
      name: 'animal',
      model: (model ?? neverAsked).model,
      rubric: 'Is there an animal in the reply? And how would you call it?',
      verdict: z.object({ animal: z.boolean(), size: z.enum(['small', 'large']) }),
      score: (verdict) => Number(verdict.animal),
      sampling: { temperature: 0, maxOutputTokens: 60 },
    });
    const options = {
      taskset: defineTaskset({
        load: () => [{ key: 'cat', prompt: 'Say the word cat.' }],
        rewards: { animal },
      }),
      model: model ?? neverAsked,
      config: {
        'client.dialects': ['chat-completions'],
        'sampling.max_tokens': 8,
        'sampling.temperature': 0,
      },
    };
    const { trace, dir } = await play(options);
    expect(trace('cat').errors).toEqual([]);
    expect([0, 1]).toContain(trace('cat').reward);
    expect(trace('cat').extraUsage).toMatchObject([{ by: 'animal' }]);
    expect(trace('cat').extraUsage[0]?.outputTokens).toBeGreaterThan(3);
    const again = await rescore(options, dir);
    expect(again.trace('cat').reward).toBe(trace('cat').reward);
    expect(again.trace('cat').extraUsage).toHaveLength(1);
  },
);
