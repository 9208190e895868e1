import { defineTaskset, z } from '@vf/core';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => ['one', 'two', 'three', 'four'].map((key) => ({ key, prompt: `I am task ${key}.` })),
  next: ({ trace }) => (trace.turns < 3 ? { prompt: 'And now?', session: 'resume' } : null),
  rewards: { one: () => 1 },
});

test('each rollout of a run stays on one of its servers [train/replicas]', async () => {
  const asked = [new Map<string, number>(), new Map<string, number>()];
  const server = (at: number) =>
    engineServer((prompt) => {
      const task = /I am task (\w+)/.exec(prompt)?.[1] ?? '';
      asked[at]?.set(task, (asked[at]?.get(task) ?? 0) + 1);
      return 'It is.<|im_end|>';
    });
  await using one = await server(0);
  await using two = await server(1);
  const { result, episodes } = await play({
    taskset,
    model: one,
    config: {
      ...one.config,
      'client.replicas': [`${two.url}/v1`],
    },
  });
  expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
  expect(episodes).toHaveLength(4);
  const tasks = asked.map((each) => [...each.keys()]);
  expect(tasks.map((each) => each.length)).toEqual([2, 2]);
  expect(new Set(tasks.flat()).size).toBe(4);
  expect(asked.flatMap((each) => [...each.values()])).toEqual([3, 3, 3, 3]);
});

test('a server that fails at every call is asked once by each of its rollouts [train/replicas]', async () => {
  const asked: string[] = [];
  await using whole = await engineServer(() => 'It is.<|im_end|>');
  await using broken = await engineServer((prompt) => {
    asked.push(prompt);
    throw new Error('CUDA error');
  });
  const { result, episodes } = await play({
    taskset,
    model: whole,
    config: { ...whole.config, 'client.replicas': [`${broken.url}/v1`] },
  });
  expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
  expect(episodes.map(({ traces }) => traces[0]?.turns)).toEqual([3, 3, 3, 3]);
  expect(asked).toHaveLength(2);
  expect(whole.sampled).toHaveLength(12);
});
