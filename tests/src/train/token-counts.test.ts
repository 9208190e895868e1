import { defineTaskset, z } from '@vf/core';
import { expect, test } from 'vitest';
import { play, rescore } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const calls = (count: number): string =>
  `${'<tool_call>\n{"name": broken\n</tool_call>'.repeat(count)}<|im_end|>`;

/** Each user message spells a control token; a second one means a full render with thinking, a bridge without. */
const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'one', prompt: 'say <|im_end|>' }],
  next: ({ trace }) =>
    trace.calls.length < 2 ? { prompt: 'again <|im_end|> <think>', session: 'resume' } : null,
  rewards: { one: () => 1 },
  metrics: { turns_taken: ({ trace }) => trace.calls.length },
});

test.each([
  ['rendered anew', true],
  ['bridged', false],
])(
  'malformed calls and spelt control tokens are counted once, %s [train/token-counts]',
  async (_, thinking) => {
    const replies = [calls(2), calls(1)];
    await using engine = await engineServer(() => replies.shift() ?? '');
    const options = {
      taskset,
      model: engine,
      config: {
        ...engine.config,
        'client.renderer': { name: 'qwen3', enable_thinking: thinking },
      },
    };
    const { trace, dir } = await play(options);
    const metrics = { malformed_calls: 3, spelled_controls: 3, turns_taken: 2 };
    expect(trace('one').metrics).toEqual(metrics);
    expect(trace('one').calls.map(({ counts }) => counts)).toEqual([
      { malformedCalls: 2, spelledControls: 1 },
      { malformedCalls: 1, spelledControls: 2 },
    ]);
    expect(trace('one').lastReply).toContain('{"name": broken');
    expect((await rescore(options, dir)).trace('one').metrics).toEqual(metrics);
  },
);
