import type { Capabilities, TaskMcpServer } from '@vf/core';
import { expect, test } from 'vitest';
import { play } from './play.ts';
import { World, tasksetOf } from './world.ts';

const mcpServers: readonly TaskMcpServer[] = [
  { transport: 'stdio', name: 'clock', command: 'clock', args: [] },
  { transport: 'sse', name: 'shop', url: 'http://shop/sse', headers: {} },
];
const taskset = tasksetOf({ spec: { load: () => [], setup: () => ({ mcpServers }) } });

/** A role that takes servers of these transports, and notes which it was given. */
function roleIn(world: World, taskMcp: Capabilities['taskMcp'] & object) {
  const given: (readonly TaskMcpServer[] | undefined)[] = [];
  const role = world.role();
  const { spec } = role.harness;
  const capabilities = { ...spec.capabilities, taskMcp };
  const open: typeof spec.open = (ctx) => {
    given.push(ctx.taskMcp);
    return spec.open(ctx);
  };
  return {
    role: { ...role, harness: { ...role.harness, spec: { ...spec, capabilities, open } } },
    given,
  };
}

test('servers that the task brings reach the agent', async () => {
  const world = new World();
  const { role, given } = roleIn(world, ['stdio', 'sse']);
  await play(world, { role, taskset });
  expect(given).toEqual([mcpServers]);
});

test('an agent that does not take one of them does not play', async () => {
  const world = new World();
  const { role, given } = roleIn(world, ['stdio']);
  const { trace } = await play(world, { role, taskset });
  expect(given).toEqual([]);
  expect(trace?.errors).toMatchObject([
    { type: 'misfit/plan', phase: 'setup', message: expect.stringContaining('shop over sse') },
  ]);
});
