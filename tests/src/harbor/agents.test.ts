import { resolve } from 'node:path';
import { harborTaskset } from '@vf/taskset-harbor';
import { startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { inTurn, limit } from '../agents/scripts.ts';
import { play } from '../run/play.ts';

const taskset = harborTaskset({ path: resolve(import.meta.dirname, '../../fixtures/harbor') });

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

  test('finds the skill of the image, and works as the user of each step', async () => {
    await using model = await startScriptedModel({ script: writeAndSeal });
    const only = { ...config, 'taskset.tasks': ['users-and-skills'] };
    const { trace } = await play({ taskset, model, config: only });
    expect(trace('users-and-skills')).toMatchObject({ reward: 1, errors: [] });
    expect(JSON.stringify(model.requests)).toContain('How pages are stamped here');
  });
});
