import type { Rollout } from '@vf/core';
import { expect, test } from 'vitest';
import bestOfN from './index.ts';

test('all attempts are made at once, and the best one counts', async () => {
  const { chosen, tries, mostAtOnce } = await play({ n: 3 }, [0, 0.7, 0.2]);
  expect({ chosen, tries, mostAtOnce }).toEqual({ chosen: 0.7, tries: 3, mostAtOnce: 3 });
});

test('until-solved stops at the first that gets full marks', async () => {
  expect(await play({ n: 5, order: 'until-solved' }, [0, 1, 1])).toEqual({
    chosen: 1,
    tries: 2,
    mostAtOnce: 1,
  });
});

test('an unscored attempt is never the best, and no score at all chooses nothing', async () => {
  expect((await play({ n: 2 }, [null, -1])).chosen).toBe(-1);
  expect((await play({ n: 2 }, [null, null])).chosen).toBeNull();
});

test('the options have defaults and bounds', () => {
  const schema = bestOfN.spec.config;
  expect(schema?.parse({})).toEqual({ n: 4, order: 'parallel', solvedAt: 1 });
  expect(schema?.safeParse({ n: 0 }).success).toBe(false);
});

/** Plays with an agent whose attempts get these rewards in turn. */
async function play(options: object, rewards: readonly (number | null)[]) {
  let tries = 0;
  let running = 0;
  let mostAtOnce = 0;
  let chosen: number | null = null;
  const run = async (): Promise<Rollout> => {
    const reward = rewards[tries++] ?? null;
    mostAtOnce = Math.max(mostAtOnce, ++running);
    await Promise.resolve();
    running--;
    return { trace: { reward }, runtime: { id: 'none' } } as Rollout;
  };
  await bestOfN.spec.play({
    task: { key: 'k' },
    agents: { solver: { run, open: () => Promise.reject(new Error('not a conversation')) } },
    config: bestOfN.spec.config?.parse(options),
    signal: new AbortController().signal,
    reward: () => undefined,
    choose: ({ trace }) => {
      chosen = trace.reward;
    },
  });
  return { chosen, tries, mostAtOnce };
}
