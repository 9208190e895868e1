import { defineTaskset } from '@vf/core';
import { fitting, solveWithShell, startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { pairs } from './agents.ts';
import { containersLeft, noEngine } from './engine.ts';

/** The first one installs the agent. */
const limit = 300_000;

const taskset = defineTaskset({
  load: () => [{ key: 'edit', prompt: 'In sky.txt, turn red into blue.' }],
  setup: ({ runtime }) => runtime.write('sky.txt', 'red\n'),
  rewards: {
    blue: async ({ runtime }) =>
      Number(Buffer.from(await runtime.read('sky.txt')).toString() === 'blue\n'),
  },
});
const work = solveWithShell('sed s/red/blue/ sky.txt > new && mv new sky.txt');

describe.skipIf(noEngine)('agents in containers', { timeout: limit }, () => {
  test.each(pairs())('$agent.id solves a task in $image', async ({ agent, image }) => {
    const { id, config } = agent;
    await using model = await startScriptedModel({ script: fitting(work) });
    const { trace } = await play({
      taskset,
      model,
      config: {
        'harness.id': id,
        ...config,
        'runtime.id': 'docker',
        'runtime.image': image,
        'runtime.pull': 'never',
      },
    });
    const { errors, reward, stopCondition } = trace('edit');
    expect({ errors, reward, stopCondition }).toEqual({
      errors: [],
      reward: 1,
      stopCondition: 'agent_completed',
    });
    expect(await containersLeft()).toEqual([]);
  });
});
