import { defineTaskset } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const shells = {
  codex: '{"name": "exec_command", "arguments": {"cmd": "echo tokens-$((40+2))"}}',
  'claude-code':
    '{"name": "Bash", "arguments": {"command": "echo tokens-$((40+2))", "description": "adds"}}',
} as const;

const taskset = defineTaskset({
  load: () => [{ key: 'work', prompt: 'Add 40 and 2 in a shell.' }],
  rewards: {
    done: ({ trace }) =>
      Number(
        trace.messages.some(
          ({ role, content }) => role === 'tool' && textOf(content).includes('tokens-42'),
        ),
      ),
  },
});

/** Calls the shell once where there is one, then ends; side questions of an agent are answered too. */
function script(agent: keyof typeof shells, prompt: string): string {
  const call = shells[agent];
  const isDone = prompt.includes('<tool_response>');
  const hasShell = prompt.includes(`"name": "${JSON.parse(call).name as string}"`);
  if (isDone || !hasShell) return 'It is 42.<|im_end|>';
  return `<think>\nA shell can add.\n</think>\n\n<tool_call>\n${call}\n</tool_call><|im_end|>`;
}

describe.each(['codex', 'claude-code'] as const)(
  '%s, trained through',
  { timeout: 300_000 },
  (agent) => {
    test('has exact tokens on every turn, and one branch of them [train/agents]', async () => {
      await using engine = await engineServer((prompt) => script(agent, prompt));
      const { result, trace } = await play({
        taskset,
        model: engine,
        config: {
          'harness.id': agent,
          ...(agent === 'codex' ? { 'harness.extra_tools': false } : {}),
          ...engine.config,
          'sampling.temperature': 1,
        },
      });
      expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
      const played = trace('work');
      expect(played.calls.map(({ error }) => error)).toEqual(played.calls.map(() => null));
      expect(played).toMatchObject({ reward: 1, stopCondition: 'agent_completed' });
      expect(played.calls.some(({ settings }) => settings.stream)).toBe(true);
      for (const [at, { prompt, completion }] of engine.sampled.entries()) {
        const node = played.calls[at]?.node ?? -1;
        const path = played.graph.pathTo(node);
        const ids = path.flatMap((index) => [...(played.graph.nodes[index]?.tokens?.ids ?? [])]);
        expect(ids).toEqual([...prompt, ...completion]);
        expect(played.graph.nodes[node]?.tokens?.logprobs).toHaveLength(completion.length);
      }
      const main = played.branches.filter(({ messages }) =>
        messages.some(({ role }) => role === 'tool'),
      );
      expect(main).toHaveLength(1);
      expect(main[0]?.trains).toHaveLength(2);
    });
  },
);

test('codex is refused with its web search before it starts', async () => {
  await using engine = await engineServer(() => 'It is 42.<|im_end|>');
  const config = { 'harness.id': 'codex', ...engine.config, 'sampling.temperature': 1 };
  await expect(play({ taskset, model: engine, config })).rejects.toMatchObject({
    code: 'misfit/plan',
    problems: [{ fix: 'harness.extra_tools = false' }],
  });
  expect(engine.sampled).toEqual([]);
});
