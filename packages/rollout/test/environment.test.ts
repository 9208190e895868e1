import type { AnyEnvironmentSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { playEpisode } from '../src/episode.ts';
import { scoreGroup } from '../src/group-scoring.ts';
import { World, planOf, taskOf, tasksetOf } from './world.ts';

const taskset = tasksetOf({ rewards: [{ name: 'r', weight: 1, priority: 0, score: () => 1 }] });

function the<T>(agent: T | undefined): T {
  if (agent === undefined) throw new Error('the environment has no such role');
  return agent;
}

const threeTimes: AnyEnvironmentSpec['play'] = async ({ task, agents }) => {
  for (let n = 1; n <= 3; n++) await the(agents['solver']).run(task);
};

function play(world: World, spec: AnyEnvironmentSpec, plan = taskset) {
  const roles = Object.entries(spec.roles as Record<string, { scored?: boolean }>).map(
    ([name, role]) => world.role({ name, scored: role.scored ?? true }),
  );
  return playEpisode({
    id: 'e',
    attempt: 2,
    plan: planOf(roles, plan, { id: 'test', spec }),
    task: taskOf(),
    services: world.services(),
    signal: new AbortController().signal,
  });
}

test('a role may run several times; each rollout is a trace of its own', async () => {
  const world = new World();
  const episode = await play(world, { roles: { solver: {} }, play: threeTimes });
  expect(episode.traces.map(({ reward }) => reward)).toEqual([1, 1, 1]);
  expect(new Set(episode.traces.map(({ id }) => id)).size).toBe(3);
  expect(world.boxes.map(({ isStopped }) => isStopped)).toEqual([true, true, true]);
  expect(episode.attempt).toBe(2);
});

test('a judge works in the solver’s box on a task that the environment made up, which the taskset does not score', async () => {
  const world = new World();
  const episode = await play(world, {
    roles: { solver: {}, judge: {} },
    play: async ({ task, agents, reward }) => {
      const solved = await the(agents['solver']).run(task);
      const judged = await the(agents['judge']).run(
        { prompt: 'is it good?' },
        { runtime: solved.runtime },
      );
      reward(solved, 'judged', judged.trace.lastReply === 'done' ? 0.25 : 0);
    },
  });
  expect(world.boxes).toHaveLength(1);
  expect(episode.traces[0]).toMatchObject({ reward: 1.25 });
  expect(episode.traces[1]).toMatchObject({ rewards: {}, task: { type: 'ad-hoc' }, ok: true });
});

test('a conversation is led turn by turn, and scored at its end', async () => {
  const world = new World();
  world.answers = ['hello', 'bye'];
  const heard: (string | null)[] = [];
  const episode = await play(world, {
    roles: { assistant: {} },
    play: async ({ task, agents }) => {
      const talk = await the(agents['assistant']).open(task);
      heard.push(await talk.say('hi'), await talk.say('done?'));
      await talk.end();
    },
  });
  expect(heard).toEqual(['hello', 'bye']);
  expect(episode.traces[0]).toMatchObject({ stopCondition: 'user_closed', reward: 1, turns: 2 });
});

test('a conversation whose agent fails says nothing more, keeps the error, and is closed', async () => {
  const world = new World();
  world.answers = [{ status: 500, code: 'provider', message: 'broke' }];
  const episode = await play(world, {
    roles: { assistant: {} },
    play: async ({ task, agents }) => {
      const talk = await the(agents['assistant']).open(task);
      expect(await talk.say('hi')).toBeNull();
      expect(await talk.say('again')).toBeNull();
      await talk.end();
    },
  });
  expect(episode.traces[0]).toMatchObject({ ok: false, reward: null });
  expect(episode.traces[0]?.errors).toHaveLength(1);
  expect(world.log).toContain('agent closed');
});

test('an environment that throws is an error of the episode; its boxes are freed', async () => {
  const world = new World();
  const episode = await play(world, {
    roles: { solver: {} },
    play: async ({ task, agents }) => {
      await the(agents['solver']).run(task);
      throw new VfError('taskset/hook_failed', 'play fell over');
    },
  });
  expect(episode).toMatchObject({ ok: false, errors: [{ type: 'taskset/hook_failed' }] });
  expect(world.boxes[0]?.isStopped).toBe(true);
});

test('a box that cannot be freed does not keep the others', async () => {
  const world = new World();
  const spec: AnyEnvironmentSpec = {
    roles: { solver: {} },
    play: async ({ task, agents }) => {
      const first = await the(agents['solver']).run(task);
      Object.assign(first.runtime, { stop: () => Promise.reject(new Error('stuck')) });
      await the(agents['solver']).run(task);
    },
  };
  await play(world, spec);
  expect(world.boxes.map(({ isStopped }) => isStopped)).toEqual([false, true]);
  expect(world.log).toContain('warn: a box was not freed or kept as it should be');
});

test('a group is scored from all its traces; a wrong number of scores is an error', async () => {
  const world = new World();
  const { traces } = await play(world, { roles: { solver: {} }, play: threeTimes });
  const groups = (hook: () => readonly (number | null)[]) =>
    tasksetOf({
      spec: { load: () => [], groupRewards: { rank: hook } },
      groupWeights: { rank: 2 },
    });
  const { signal } = new AbortController();
  expect(
    await scoreGroup(
      groups(() => [1, 0, null]),
      taskOf(),
      traces,
      signal,
    ),
  ).toEqual([{ name: 'rank', weight: 2, scores: [1, 0, null], error: null }]);
  const [wrong] = await scoreGroup(
    groups(() => [1]),
    taskOf(),
    traces,
    signal,
  );
  expect(wrong).toMatchObject({
    scores: [null, null, null],
    error: { code: 'scoring/invalid_score' },
  });
});

test('each rollout samples with a seed of its own, the same when it is played again [train/seeds]', async () => {
  const seedsOf = async (attempt: number, seed: number | undefined) => {
    const world = new World();
    const sampling = { temperature: 1, ...(seed === undefined ? {} : { seed }) };
    const role = world.role({ name: 'solver', sampling, seedEach: true });
    const { traces } = await playEpisode({
      id: 'e',
      attempt,
      plan: planOf([role], taskset, {
        id: 'test',
        spec: { roles: { solver: {} }, play: threeTimes },
      }),
      task: taskOf(),
      services: world.services(),
      signal: new AbortController().signal,
    });
    return traces.map(({ agent }) => agent.sampling.seed);
  };
  const seeds = [...(await seedsOf(1, 7)), ...(await seedsOf(2, 7)), ...(await seedsOf(1, 8))];
  expect(new Set(seeds).size).toBe(9);
  expect(seeds.every((seed) => Number.isInteger(seed) && (seed ?? -1) >= 0)).toBe(true);
  expect(await seedsOf(1, 7)).toEqual(seeds.slice(0, 3));
  expect(await seedsOf(1, undefined)).toEqual([undefined, undefined, undefined]);
});
