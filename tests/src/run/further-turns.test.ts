import { defineTaskset } from '@vf/core';
import { hang, say, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';
import { play } from './play.ts';

test('a further turn with a time limit of its own ends the rollout when it is over, scored', async () => {
  const taskset = defineTaskset({
    load: () => [{ key: 'talk', prompt: 'Name a bird.' }],
    state: () => ({ asked: 0 }),
    next: ({ state }) =>
      state.asked++ === 0
        ? { prompt: 'And another?', session: 'resume', timeouts: { agent: 300 } }
        : null,
    rewards: { turns: ({ trace }) => trace.turns },
  });
  await using model = await startScriptedModel({
    script: ({ turn }) => (turn === 0 ? say('heron') : hang()),
  });
  const { trace, result } = await play({ taskset, model });
  expect(trace('talk')).toMatchObject({
    stopCondition: 'agent_timeout',
    isTimeout: true,
    reward: 1,
    errors: [],
  });
  expect(trace('talk').calls.map(({ error }) => error?.code)).toEqual([undefined, 'aborted']);
  expect(result.exitCode).toBe(0);
});
