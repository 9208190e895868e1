import type { Skill } from '@vf/core';
import { expect, test } from 'vitest';
import { play } from './play.ts';
import { World, tasksetOf } from './world.ts';

const skills: readonly Skill[] = [{ name: 'sort', path: '/skills/sort' }];
const taskset = tasksetOf({ spec: { load: () => [], setup: () => ({ skills }) } });

/** A role that takes skills, or not, and notes which it was given. */
function roleIn(world: World, takesSkills: boolean, given: (readonly Skill[])[]) {
  const role = world.role();
  const { spec } = role.harness;
  const capabilities = { ...spec.capabilities, skills: takesSkills };
  const open: typeof spec.open = (ctx) => {
    given.push(ctx.skills);
    return spec.open(ctx);
  };
  return { ...role, harness: { ...role.harness, spec: { ...spec, capabilities, open } } };
}

test('skills that setup finds reach the agent', async () => {
  const world = new World();
  const given: (readonly Skill[])[] = [];
  await play(world, { role: roleIn(world, true, given), taskset });
  expect(given).toEqual([skills]);
});

test('an agent that takes none does not play without them', async () => {
  const world = new World();
  const given: (readonly Skill[])[] = [];
  const { trace } = await play(world, { role: roleIn(world, false, given), taskset });
  expect(given).toEqual([]);
  expect(trace?.errors).toMatchObject([{ type: 'misfit/plan', phase: 'setup' }]);
});
