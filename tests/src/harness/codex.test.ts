import codex from '@vf/harness-codex';
import subprocess from '@vf/runtime-subprocess';
import { fail, say, solveWithShell } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { describe, expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolNames, toolResults } from './rig.ts';

describe('codex', () => {
  describeHarness(() => codex, { runtime: () => subprocess, callsPerRefusal: 1 });

  const open = scenes(codex);
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
    expect(toolNames(model)).toContain('exec_command');
    expect(toolNames(model)).not.toContain('spawn_agent');
    expect(toolNames(model)).not.toContain('web_search');
    expect(systemText(model)).toMatch(/^Be a lamp\./);
  });

  test('tells in its own words why it failed', limit, async () => {
    const refused = await open(() => fail(400, { message: 'the rollout is over' }));
    expect(await refused.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('the rollout is over') as string,
    });
    const wrong = await open(() => say('Yes.'), { settings: { sandbox_mode: 'nonsense' } });
    expect(await wrong.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('unknown variant `nonsense`') as string,
      program: { exitCode: 1 },
    });
    expect(wrong.model.requests).toEqual([]);
  });
});
