import opencode from '@vf/harness-opencode';
import { say, solveWithShell } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolNames, toolResults } from './rig.ts';
import { describeSlowAgent, limit } from './slow-agent.ts';

describe('opencode', () => {
  describeSlowAgent(opencode, { callsPerRefusal: 1 });

  const open = scenes(opencode);

  test('its shell keeps PATH and does not have the bearer', limit, async () => {
    const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
    const config = { subAgents: false, systemPrompt: 'replace' };
    const ctx = { env: { PATH }, systemPrompt: 'Be a lamp.', dialect: 'responses' };
    const { session, model } = await open(solveWithShell('env', 'Yes.'), config, ctx);
    expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
    expect(toolResults(model)).toContain('/opt/of-the-image:');
    expect(toolResults(model)).not.toContain(bearer);
    expect(toolNames(model)).not.toContain('task');
    expect(systemText(model)).toMatch(/^Be a lamp\./);
  });

  test('speaks Messages too', limit, async () => {
    const { session, model } = await open(() => say('Yes.'), {}, { dialect: 'messages' });
    expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
    expect(model.turns.map(({ path }) => path)).toEqual(['/v1/messages']);
  });
});
