import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTaskset, z } from '@vf/core';
import { tokensOf } from '@vf/core/trace';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { engineServer } from './engine-server.ts';
import type { EngineServer } from './engine-server.ts';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'sum', prompt: 'What is 3 + 4?' }],
  rewards: { one: () => 1 },
});
const template =
  "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}";

function playBy(engine: EngineServer, renderer: string) {
  return play({
    taskset,
    model: engine,
    config: { ...engine.config, 'client.renderer': renderer },
  });
}

async function notesOf(dir: string): Promise<readonly string[]> {
  const plan = JSON.parse(await readFile(join(dir, 'plan.json'), 'utf8')) as {
    readonly notes: readonly string[];
  };
  return plan.notes;
}

test('a model without a family trains by its own template, whose limits are told [train/renderer-limits]', async () => {
  await using engine = await engineServer(() => '7<|im_end|>');
  const folder = String(engine.config['client.tokenizer']);
  await expect(playBy(engine, 'jinja')).rejects.toMatchObject({
    code: 'misfit/no_renderer',
    message: expect.stringContaining('no chat template') as string,
  });
  await writeFile(join(folder, 'chat_template.jinja'), template);
  await writeFile(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ eos_token: '<|im_end|>' }),
  );
  const { trace, result, dir } = await playBy(engine, 'jinja');
  expect(result.exitCode).toBe(0);
  const [branch] = trace('sum').branches;
  const tokens = branch === undefined ? null : tokensOf(branch);
  expect([...(tokens?.ids ?? [])]).toEqual(
    engine.sampled.flatMap(({ prompt, completion }) => [...prompt, ...completion]),
  );
  expect(tokens?.isContent).toBeNull();
  const told = (await notesOf(dir)).filter((note) => note.startsWith('renderer jinja: '));
  expect(told).toEqual([expect.stringMatching(/no loss mask.*no bridge.*tool calls/)]);
});

test('a family says what it refuses, one without limits nothing [train/renderer-limits]', async () => {
  await using engine = await engineServer(() => '7<|im_end|>');
  const told = async (renderer: string) =>
    (await notesOf((await playBy(engine, renderer)).dir)).filter((note) =>
      note.startsWith('renderer '),
    );
  expect(await told('chatml')).toEqual([
    'renderer chatml: no tools and no calls: prompts with them are refused; reasoning is not printed',
  ]);
  expect(await told('qwen3')).toEqual([]);
});
