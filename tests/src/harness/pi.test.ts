import pi from '@vf/harness-pi';
import subprocess from '@vf/runtime-subprocess';
import { fail, solveWithShell } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { describe, expect, test } from 'vitest';
import { bearer, scenes, signal, systemText, toolNames, toolResults } from './rig.ts';

describe('pi', () => {
  describeHarness(() => pi, { runtime: () => subprocess, callsPerRefusal: 1 });

  const open = scenes(pi);
  const limit = { timeout: 120_000 };

  test.each(['responses', 'messages'])(
    'over %s its shell keeps PATH and does not have the bearer',
    limit,
    async (dialect) => {
      const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
      const config = { systemPrompt: 'replace', thinking: 'low' };
      const ctx = { env: { PATH }, systemPrompt: 'Be a lamp.', dialect };
      const { session, model } = await open(solveWithShell('env'), config, ctx);
      expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
      expect(toolResults(model)).toContain('/opt/of-the-image:');
      expect(toolResults(model)).not.toContain(bearer);
      expect(systemText(model)).toMatch(/^Be a lamp\./);
      expect(toolNames(model).toSorted()).toEqual(['bash', 'edit', 'read', 'write']);
    },
  );

  test('tells in its own words why it failed, though its exit code is 0', limit, async () => {
    const { session } = await open(() => fail(400, { message: 'the rollout is over' }));
    expect(await session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('the rollout is over') as string,
      program: { exitCode: 0 },
    });
  });
});
