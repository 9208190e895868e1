import { resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { say, shellCall, startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { inTurn, limit, resultsIn, taskCall } from '../agents/scripts.ts';
import { play } from '../run/play.ts';

const taskset = harborTaskset({ path: resolve(import.meta.dirname, '../../fixtures/harbor') });

/** Asks the tool of the task's server, then writes down what it told. */
const askVault: Script = (request) => {
  const [word] = resultsIn(request.messages).slice(-1);
  if (word === undefined) return taskCall(request, 'word', {});
  const [told = 'nothing'] = /heron-\d+/.exec(word) ?? [];
  if (request.turn > 1) return say('Done.');
  return shellCall(request.tools, `printf %s ${told} > word.txt`) ?? say('No shell.');
};

/** Does the step that it is told of; the second one starts a conversation of its own. */
const writeAndSeal: Script = (request) => {
  const told = request.messages.map(({ content }) => textOf(content)).join('\n');
  const command = told.includes('Append a stamp')
    ? 'echo "stamped $(id -un)" >> page.txt'
    : 'echo draft > page.txt && chmod 666 page.txt';
  return inTurn([command])(request);
};

describe.each(['codex', 'claude-code'])('%s', { timeout: limit }, (agent) => {
  const config = { 'harness.id': agent, 'runtime.id': 'docker' };

  test('uses the MCP server that a task brings', async () => {
    await using model = await startScriptedModel({ script: askVault });
    const only = { ...config, 'taskset.tasks': ['mcp-tool'] };
    const { trace } = await play({ taskset, model, config: only });
    expect(trace('mcp-tool')).toMatchObject({ reward: 1, errors: [] });
  });

  test('orders from a service beside its own, over MCP', async () => {
    await using model = await startScriptedModel({
      script: (request) =>
        request.turn === 0 ? taskCall(request, 'order', { item: 'lamp' }) : say('Done.'),
    });
    const only = { ...config, 'taskset.tasks': ['sidecar'] };
    const { trace } = await play({ taskset, model, config: only });
    expect(trace('sidecar')).toMatchObject({ reward: 1, errors: [] });
  });

  test('finds the skill of the image, and works as the user of each step', async () => {
    await using model = await startScriptedModel({ script: writeAndSeal });
    const only = { ...config, 'taskset.tasks': ['users-and-skills'] };
    const { trace } = await play({ taskset, model, config: only });
    expect(trace('users-and-skills')).toMatchObject({ reward: 1, errors: [] });
    expect(JSON.stringify(model.requests)).toContain('How pages are stamped here');
  });
});

test(
  'an agent that takes no MCP servers does not play a task with one',
  { timeout: limit },
  async () => {
    await using model = await startScriptedModel({ script: () => say('Done.') });
    const config = { 'harness.id': 'bash', 'runtime.id': 'docker', 'taskset.tasks': ['mcp-tool'] };
    const { trace } = await play({ taskset, model, config });
    expect(trace('mcp-tool').errors).toMatchObject([
      { type: 'misfit/plan', message: expect.stringContaining('vault over stdio') },
    ]);
    expect(model.requests).toEqual([]);
  },
);
