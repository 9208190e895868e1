import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTaskset, z } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byteTokenizerJson } from '@vf/testkit';
import { play } from '../run/play.ts';

const taskset = defineTaskset({
  data: z.object({}),
  load: () => [{ key: 'one', prompt: 'hi' }],
  rewards: { one: () => 1 },
});

let folder = '';
let whole = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-tokenizer-'));
  const bare = { ...byteTokenizerJson(), added_tokens: [] };
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(bare));
  whole = join(folder, 'whole');
  await mkdir(whole);
  await writeFile(join(whole, 'tokenizer.json'), JSON.stringify(byteTokenizerJson()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function refusal(config: Readonly<Record<string, unknown>>): Promise<VfError> {
  // Nothing listens there: what is refused is refused before anybody is asked.
  const model = { url: 'http://127.0.0.1:9', model: 'my-tune' };
  const settings = { 'client.type': 'train', 'client.engine': 'vllm', ...config };
  const error: unknown = await play({ taskset, model, config: settings }).catch(
    (failure: unknown) => failure,
  );
  if (!VfError.isInstance(error)) throw new Error('nothing was refused', { cause: error });
  return error;
}

test.each([
  ['a model without a renderer', {}, 'misfit/no_renderer', /my-tune/, /smollm2/],
  [
    'a renderer that is none',
    { 'client.renderer': 'qwen33' },
    'misfit/no_renderer',
    /qwen33/,
    /qwen3/,
  ],
  [
    'a tokenizer that is not said',
    { 'client.renderer': 'qwen3' },
    'misfit/tokenizer',
    /my-tune/,
    /client\.tokenizer/,
  ],
  [
    'a setting of the template that the renderer has not',
    { 'client.renderer': 'qwen3', 'sampling.chat_template_kwargs': { enable_thinkin: false } },
    'misfit/no_renderer',
    /enable_thinkin/,
    /enable_thinking/,
  ],
  [
    'a setting that the renderer has not',
    { 'client.renderer': { name: 'qwen3', loud: true } },
    'misfit/no_renderer',
    /loud/,
    /enable_thinking/,
  ],
  ['no engine', { 'client.engine': undefined }, 'config/invalid', /engine/, /llama\.cpp/],
])(
  '%s is refused before the run [train/renderer-refused]',
  async (_, config, code, words, hint) => {
    const error = await refusal(config);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
    expect(error.hint).toMatch(hint);
  },
);

test('a tokenizer of another family is refused [train/renderer-refused]', async () => {
  const error = await refusal({ 'client.renderer': 'qwen3', 'client.tokenizer': folder });
  expect(error.code).toBe('misfit/tokenizer');
  expect(error.message).toContain('<|im_start|>');
});

test('a tokenizer that cannot be read is refused [train/renderer-refused]', async () => {
  const broken = join(folder, 'broken');
  await mkdir(broken);
  const json = { model: { type: 'BPE', vocab: {}, merges: [] } };
  await writeFile(join(broken, 'tokenizer.json'), JSON.stringify(json));
  const error = await refusal({ 'client.renderer': 'qwen3', 'client.tokenizer': broken });
  expect(error.code).toBe('misfit/tokenizer');
  expect(error.message).toContain(broken);
});

test.each(['llama.cpp', 'vllm', 'sglang'])(
  'settings that %s would never hear of are refused, all at once [train/renderer-refused]',
  async (engine) => {
    const error = await refusal({
      'client.engine': engine,
      'client.renderer': 'smollm2',
      'client.tokenizer': whole,
      'sampling.made_up': 1,
      'sampling.ignore_eos': true,
      'sampling.reasoning_effort': 'high',
    });
    expect(error.code).toBe('misfit/plan');
    expect(error.problems.map(({ path }) => path)).toEqual([
      'sampling.reasoning_effort',
      'sampling.made_up',
      'sampling.ignore_eos',
    ]);
  },
);
