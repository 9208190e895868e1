import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@vf/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadJinja } from '../src/jinja/load-jinja.ts';
import type { RendererOptions } from '../src/renderer.ts';
import { standInTokenizer } from './tokenizers.ts';

const { ours } = standInTokenizer(['<|im_start|>', '<|im_end|>', '<|endoftext|>']);
const messages: Message[] = [{ role: 'user', content: 'q' }];
const template = "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m['content'] }}{% endfor %}";

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-jinja-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function config(fields: object): Promise<void> {
  return writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(fields));
}

async function prompt(options?: RendererOptions): Promise<string> {
  const { tokenIds } = (await loadJinja(folder, ours, options)).render({ messages });
  return Buffer.from(ours.join(tokenIds, 0, tokenIds.length)).toString();
}

describe('a model folder', () => {
  it('has its template in the config of the tokenizer, with the tokens that it names', async () => {
    await config({
      chat_template: template,
      bos_token: { content: '<|endoftext|>' },
      eos_token: '<|im_end|>',
    });
    expect(await prompt()).toBe('<|endoftext|><|im_start|>q');
    const renderer = await loadJinja(folder, ours);
    expect(renderer.stopIds).toEqual([ours.controls.get('<|im_end|>')]);
  });

  it('names more tokens that end a reply where engines look for them', async () => {
    await config({ chat_template: template, eos_token: '<|im_end|>' });
    const [end, text] = ['<|im_end|>', '<|endoftext|>'].map(
      (name) => ours.controls.get(name) ?? -1,
    );
    const generation = join(folder, 'generation_config.json');
    await writeFile(generation, JSON.stringify({ eos_token_id: [text, end, ours.size] }));
    const renderer = await loadJinja(folder, ours);
    expect(renderer.stopIds).toEqual([end, text]);
    const reply = [...Array.from(ours.encode('So be it')), text ?? -1];
    expect(renderer.parse(reply).content).toBe('So be it');
    await writeFile(generation, JSON.stringify({ eos_token_id: text }));
    expect((await loadJinja(folder, ours)).stopIds).toEqual([end, text]);
  });

  it('has it in a file of its own, which goes first', async () => {
    await config({ chat_template: template, eos_token: '<|im_end|>' });
    await writeFile(join(folder, 'chat_template.jinja'), 'own {{ enable_thinking }}');
    expect(await prompt({ thinking: false })).toBe('own false');
  });

  it('has several, of which the default is meant', async () => {
    const named = (name: string) => ({ name, template: name });
    await config({ chat_template: [named('rag'), named('default')], eos_token: '<|im_end|>' });
    expect(await prompt()).toBe('default');
  });

  it.each([
    ['has none', {}, {}, 'misfit/no_renderer', /no chat template/],
    ['does not parse', { chat_template: '{% for %}' }, {}, 'misfit/tokenizer', /does not parse/],
    [
      'does not print a message',
      { chat_template: "{{ raise_exception('no system') }}" },
      {},
      'misfit/not_renderable',
      /no system/,
    ],
    ['names no end', { eos_token: null }, {}, 'misfit/tokenizer', /no end token is named/],
    [
      'is to keep reasoning',
      {},
      { retention: 'all' },
      'misfit/no_renderer',
      /renders every turn anew/,
    ],
  ] as const)('whose template %s is refused', async (what, fields, options, code, words) => {
    const usual = what === 'has none' ? {} : { chat_template: template };
    await config({ eos_token: '<|im_end|>', ...usual, ...fields });
    const refused = loadJinja(folder, ours, options);
    await expect(refused).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words) as string,
    });
  });

  it('whose config is broken is refused', async () => {
    await writeFile(join(folder, 'tokenizer_config.json'), '{');
    await expect(loadJinja(folder, ours)).rejects.toMatchObject({ code: 'misfit/tokenizer' });
  });
});
