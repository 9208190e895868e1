import type { AnyHook } from '@vf/core';
import { playEpisode } from '../src/episode.ts';
import type { RolePlan, Services, TasksetPlan } from '../src/plan.ts';
import { planOf, taskOf, tasksetOf } from './world.ts';
import type { World } from './world.ts';

/** A taskset's rewards with one in it. */
export const scored = (score: (ctx: AnyHook) => number | null) => [
  { name: 'r', weight: 1, priority: 0, score },
];

/** Plays one episode of one role in a world of its own. */
export async function play(
  world: World,
  a: {
    role?: RolePlan;
    taskset?: TasksetPlan;
    services?: Services;
    signal?: AbortSignal;
    task?: ReturnType<typeof taskOf>;
  } = {},
) {
  const role = a.role ?? world.role();
  const episode = await playEpisode({
    id: 'e',
    attempt: 1,
    plan: planOf([role], a.taskset ?? tasksetOf({ rewards: scored(() => 1) })),
    task: a.task ?? taskOf(),
    services: a.services ?? world.services(),
    signal: a.signal ?? new AbortController().signal,
  });
  return { episode, trace: episode.traces[0] };
}
