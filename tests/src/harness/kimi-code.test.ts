import kimi from '@vf/harness-kimi-code';
import { solveWithShell } from '@vf/testkit';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { scenes, signal, systemText, toolResults } from './rig.ts';
import { describeSlowAgent, limit } from './slow-agent.ts';

describe('kimi-code', () => {
  describeSlowAgent(kimi, { callsPerRefusal: 1, longestPrompt: 100_000 });

  const open = scenes(kimi);

  test('is told to read a longer prompt, and can; its shell keeps PATH', limit, async () => {
    const PATH = `/opt/of-the-image:${process.env['PATH'] ?? ''}`;
    const script = solveWithShell(({ messages }) => {
      const asked = messages.map(({ content }) => textOf(content)).join('\n');
      return `tail -c 11 "${/in the file (\S+),/.exec(asked)?.[1]}"; echo "$PATH"`;
    });
    const ctx = { env: { PATH }, systemPrompt: 'Be a lamp.', dialect: 'responses' };
    const { session, model } = await open(script, { systemPrompt: 'replace' }, ctx);
    const prompt = `${'a long line of text\n'.repeat(10_000)}and the end`;
    expect(await session.turn(prompt, signal)).toMatchObject({ status: 'completed' });
    expect(toolResults(model)).toContain('and the end');
    expect(toolResults(model)).toContain('/opt/of-the-image:');
    expect(systemText(model)).toMatch(/^Be a lamp\./);
  });
});
