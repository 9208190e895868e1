import mini from '@vf/harness-mini-swe-agent';
import { fail, say, solveWithShell, submitting } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolNames, toolResults } from './rig.ts';
import { describeSlowAgent, limit } from './slow-agent.ts';

describe('mini-swe-agent', () => {
  describeSlowAgent(mini, { manner: submitting, callsPerRefusal: 1 });

  const open = scenes(mini);

  test(
    'over Responses its shell keeps PATH and HOME, and nothing of its own Python',
    limit,
    async () => {
      const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
      const ctx = { env: { PATH }, systemPrompt: 'Be a {{ lamp }}.', dialect: 'responses' };
      const script = submitting(solveWithShell('env; command -v mini'));
      const { session, model } = await open(script, { systemPrompt: 'replace' }, ctx);
      expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
      expect(toolResults(model)).toContain('/opt/of-the-image:');
      expect(toolResults(model)).not.toMatch(/PYTHON|LD_LIBRARY_PATH/);
      expect(toolNames(model)).toEqual(['bash']);
      expect(systemText(model)).toMatch(/^Be a \{\{ lamp \}\}\./);
    },
  );

  test('its own bounds end a turn well, whatever the exit code', limit, async () => {
    const { session, model } = await open(solveWithShell('true'), { maxSteps: 1 });
    expect(await session.turn('Go.', signal)).toMatchObject({
      status: 'completed',
      detail: 'stopped: LimitsExceeded',
      program: { exitCode: 0 },
    });
    expect(model.turns).toHaveLength(1);
    const talker = await open(() => say('Only words.'));
    expect(await talker.session.turn('Go.', signal)).toMatchObject({
      status: 'completed',
      detail: 'stopped: RepeatedFormatError',
    });
  });

  test('asks once where the provider is at fault, and says what it said', limit, async () => {
    const { session, model } = await open(() => fail(500, { message: 'no such luck' }));
    expect(await session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('no such luck') as string,
    });
    expect(model.turns).toHaveLength(1);
    expect(JSON.stringify(model.turns[0]?.call?.body)).not.toContain(bearer);
  });
});
