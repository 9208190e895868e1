import { defineTaskset, z } from '@vf/core';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'sum', prompt: 'What is 3 + 4?' }],
  rewards: { one: () => 1 },
});

const quiet = { enable_thinking: false };

test.each([
  ['what the sampling says', { 'sampling.chat_template_kwargs': quiet }, true],
  ['what the client says', { 'client.renderer': { name: 'qwen3', ...quiet } }, true],
  ['nothing', {}, false],
])('a prompt is rendered by %s [train/renderer-settings]', async (_, config, isQuiet) => {
  const prompts: string[] = [];
  await using engine = await engineServer((prompt) => {
    prompts.push(prompt);
    return '7<|im_end|>';
  });
  const { result } = await play({
    taskset,
    model: engine,
    config: {
      ...engine.config,
      ...config,
    },
  });
  expect(result.exitCode).toBe(0);
  expect(prompts.map((prompt) => prompt.endsWith('<think>\n\n</think>\n\n'))).toEqual([isQuiet]);
});
