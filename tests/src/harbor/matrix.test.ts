import { basename, resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { agents } from '../docker/agents.ts';
import type { Agent } from '../docker/agents.ts';
import { containersLeft, noEngine } from '../docker/engine.ts';
import { play } from '../run/play.ts';
import { solveSteps } from './solve-steps.ts';

const root = resolve(import.meta.dirname, '../../..');
const shipped = resolve(root, 'plugins/taskset/harbor/fixtures');
const more = resolve(root, 'tests/fixtures/harbor');

/** What the reference solution gets. */
const rewards: Readonly<Record<string, number>> = {
  [`${shipped}/hello-file`]: 1,
  [`${shipped}/json-reward`]: 1,
  [`${shipped}/two-steps`]: 1,
  [`${more}/final-step`]: 0.75,
  [`${more}/network-phases`]: 1,
  [`${more}/separate-verifier`]: 1,
};

/** Every task with every agent; without `VF_ALL_AGENTS` the steps with the two that are played nowhere else. */
function matrix(): readonly { agent: Agent; task: string; folder: string; expected: number }[] {
  const all = process.env['VF_ALL_AGENTS'] !== undefined;
  const cells = agents.flatMap((agent) =>
    Object.entries(rewards).map(([folder, expected]) => ({
      agent,
      task: basename(folder),
      folder,
      expected,
    })),
  );
  const sample = ['mini-swe-agent', 'terminus-2'];
  return all
    ? cells
    : cells.filter(({ agent, task }) => sample.includes(agent.id) && task === 'two-steps');
}

describe.skipIf(noEngine)('Harbor tasks and agents', { timeout: 300_000 }, () => {
  test.each(matrix())('$agent.id plays $task', async ({ agent, folder, task, expected }) => {
    const { id, config, manner = (script) => script } = agent;
    await using model = await startScriptedModel({ script: manner(solveSteps(folder)) });
    const { trace } = await play({
      taskset: harborTaskset({ path: folder }),
      model,
      config: { 'harness.id': id, ...config, 'runtime.id': 'docker' },
    });
    const { errors, reward } = trace(task);
    expect({ errors, reward }).toEqual({ errors: [], reward: expected });
    expect(await containersLeft()).toEqual([]);
  });
});
