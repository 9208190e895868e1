import { LocalModelUnavailable, startLocalModel } from '@vf/local-model';
import { defineTaskset, z } from '@vf/core';
import { afterAll, expect, test } from 'vitest';
import { play } from './play.ts';

/** A busy machine makes the model a hundred times slower. */
const limit = 600_000;

/** Stands in the type for a model that a machine without Python has not. */
const neverAsked = { url: '', model: '' };

const sums = defineTaskset({
  data: z.object({ answer: z.number() }),
  load: () =>
    Array.from({ length: 10 }, (_, i) => ({
      key: `sum-${i}`,
      prompt: `What is ${i} + ${i}?`,
      answer: 2 * i,
    })),
  rewards: {
    right: ({ task, trace }) =>
      Number(trace.lastReply?.match(/\d+/g)?.at(-1) === String(task.answer)),
  },
});

const model = await startLocalModel().catch((error: unknown) => {
  if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
  throw error;
});

afterAll(() => model?.stop());

test.runIf(model !== null).each(['chat-completions', 'responses', 'messages'])(
  'a real small model gets some sums right and some wrong over %s',
  { timeout: limit },
  async (dialect) => {
    const { result, episodes } = await play({
      taskset: sums,
      model: model ?? neverAsked,
      config: {
        'client.dialects': [dialect],
        'harness.stream': true,
        'sampling.temperature': 0,
        max_concurrent: 4,
        'sampling.max_tokens': 12,
      },
    });
    expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
    const rewards = episodes.map(({ traces }) => traces[0]?.reward ?? null);
    expect(rewards).toHaveLength(10);
    expect(new Set(rewards)).toEqual(new Set([0, 1]));
    for (const { traces } of episodes) {
      // The server may close an idle socket under a call, which is then sent again.
      const call = traces[0]?.calls.at(-1);
      expect(call).toMatchObject({ dialect, error: null, model: expect.any(String) as string });
      expect(call?.usage?.inputTokens).toBeGreaterThan(5);
      expect(call?.usage?.outputTokens).toBeGreaterThan(0);
      expect(call?.usage?.outputTokens).toBeLessThanOrEqual(12);
    }
  },
);
