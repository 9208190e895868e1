import { LocalModelUnavailable, startLocalModel } from '@vf/local-model';
import type { LocalModel } from '@vf/local-model';
import { defineTaskset, z } from '@vf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { play } from './play.ts';

/** A busy machine makes the model a hundred times slower. */
const limit = 600_000;

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

let model: LocalModel | null = null;
let reason: unknown = null;

beforeAll(async () => {
  try {
    model = await startLocalModel();
  } catch (error) {
    if (!LocalModelUnavailable.isInstance(error)) throw error;
    reason = error.reason;
  }
}, limit);

afterAll(() => model?.stop());

test.each(['chat-completions', 'responses', 'messages'])(
  'a real small model gets some sums right and some wrong over %s',
  { timeout: limit },
  async (dialect) => {
    if (model === null) return expect(reason).toBe('no-python');
    const { result, episodes } = await play({
      taskset: sums,
      model,
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
      const [call] = traces[0]?.calls ?? [];
      expect(call).toMatchObject({ dialect, error: null, model: expect.any(String) as string });
      expect(call?.usage?.inputTokens).toBeGreaterThan(5);
      expect(call?.usage?.outputTokens).toBeGreaterThan(0);
      expect(call?.usage?.outputTokens).toBeLessThanOrEqual(12);
    }
  },
);
