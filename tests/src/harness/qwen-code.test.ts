import qwen from '@vf/harness-qwen-code';
import { solveWithShell } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { scenes, signal, systemText, toolResults } from './rig.ts';
import { describeSlowAgent, limit } from './slow-agent.ts';

describe('qwen-code', () => {
  describeSlowAgent(qwen, { callsPerRefusal: 1 });

  const open = scenes(qwen);

  test.each(['responses', 'messages'])(
    'over %s its shell keeps PATH, and the system prompt may be the task’s alone',
    limit,
    async (dialect) => {
      const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
      const ctx = { env: { PATH }, systemPrompt: 'Be a lamp.', dialect };
      const config = { systemPrompt: 'replace' };
      const { session, model } = await open(solveWithShell('echo "$PATH"'), config, ctx);
      expect(await session.turn('Go.', signal)).toMatchObject({ status: 'completed' });
      expect(toolResults(model)).toContain('/opt/of-the-image:');
      expect(systemText(model)).toMatch(/^Be a lamp\./);
    },
  );
});
