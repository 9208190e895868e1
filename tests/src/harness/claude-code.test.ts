import claudeCode from '@vf/harness-claude-code';
import subprocess from '@vf/runtime-subprocess';
import { fail, say, solveWithShell } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { describe, expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolNames, toolResults } from './rig.ts';

describe('claude-code', () => {
  describeHarness(() => claudeCode, { runtime: () => subprocess, callsPerRefusal: 1 });

  const open = scenes(claudeCode);
  const limit = { timeout: 120_000 };

  test('its shell keeps PATH and does not have the bearer', limit, async () => {
    const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
    const { session, model } = await open(solveWithShell('env'), {}, { env: { PATH } });
    expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
    expect(toolResults(model)).toContain('/opt/of-the-image:');
    expect(toolResults(model)).not.toContain(bearer);
  });

  test('leaves tools out and takes another system prompt when told to', limit, async () => {
    const config = { extraTools: false, systemPrompt: 'replace' };
    const { session, model } = await open(() => say('Yes.'), config, {
      systemPrompt: 'Be a lamp.',
    });
    await session.turn('Go.', signal);
    expect(toolNames(model).toSorted()).toEqual(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write']);
    expect(systemText(model)).toContain('Be a lamp.');
    expect(systemText(model)).not.toContain('interactive agent');
  });

  test('tells in its own words why it failed', limit, async () => {
    const refused = await open(() => fail(400, { message: 'the rollout is over' }));
    expect(await refused.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('the rollout is over') as string,
    });
    const wrong = await open(() => say('Yes.'), {}, { env: { CLAUDE_CONFIG_DIR: '/proc/1/none' } });
    expect(await wrong.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('Not logged in') as string,
      program: { exitCode: 1 },
    });
    expect(wrong.model.requests).toEqual([]);
  });
});
