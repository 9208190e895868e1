import type { Message } from '@vf/core';
import { byteTokenizer } from '@vf/testkit';
import { describe, expect, it } from 'vitest';
import { chatMl, smolLm2 } from '../src/families/chat-ml.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import { familyFor, familyIds, rendererFor } from '../src/renderer-for.ts';
import { tokenizerFrom } from '../src/tokenizer/hugging-face.ts';
import { standInTokenizer } from './tokenizers.ts';

describe('rendererFor', () => {
  it('knows a model by its exact name', () => {
    expect(rendererFor('Qwen/Qwen3-4B', byteTokenizer).family).toBe('qwen3');
    expect(familyFor('openai/gpt-oss-20b')).toBe('gpt-oss');
  });

  it('refuses an unknown model with the list and how to name one', () => {
    expect(() => familyFor('acme/Qwen3-4B-tuned')).toThrow(
      expect.objectContaining({
        code: 'misfit/no_renderer',
        hint: expect.stringContaining(`renderer = one of ${familyIds.join(', ')}`),
      }),
    );
    expect(() => familyFor('Qwen/Qwen3-4b')).toThrow(/nearest name is Qwen\/Qwen3-4B/);
  });

  it('takes the name of a family for a fine-tune, and refuses one that is none', () => {
    expect(familyFor('acme/Qwen3-4B-tuned', 'qwen3')).toBe('qwen3');
    expect(() => familyFor('acme/x', 'qwen')).toThrow(
      expect.objectContaining({ code: 'misfit/no_renderer' }),
    );
  });

  it('takes jinja by name alone, which a folder makes', () => {
    expect(familyFor('acme/x', 'jinja')).toBe('jinja');
    expect(() => rendererFor('acme/x', byteTokenizer, { renderer: 'jinja' })).toThrow(
      expect.objectContaining({ code: 'misfit/no_renderer' }),
    );
  });

  it("refuses another family's tokenizer, naming the tokens that it lacks", () => {
    expect(() => rendererFor('meta-llama/Llama-3.2-1B-Instruct', byteTokenizer)).toThrow(
      /<\|start_header_id\|>/,
    );
  });

  it('refuses a tokenizer that is not byte-level', () => {
    const json = { model: { type: 'BPE', vocab: { '▁the': 0 }, merges: [] } };
    expect(() => tokenizerFrom(json)).toThrow(
      expect.objectContaining({ code: 'misfit/tokenizer' }),
    );
  });

  it.each([
    ['WordPiece', { '[UNK]': 0, a: 1 }],
    ['Unigram', { a: 0 }],
  ])('refuses a tokenizer of model %s, whatever its tokens spell', (type, vocab) => {
    expect(() => tokenizerFrom({ model: { type, vocab } })).toThrow(
      expect.objectContaining({
        code: 'misfit/tokenizer',
        message: expect.stringContaining(type) as string,
      }),
    );
  });

  it('refuses a tokenizer that the library cannot use, in its words', () => {
    const json = { model: { type: 'BPE', vocab: { a: 0 }, merges: [] } };
    expect(() => tokenizerFrom(json)).toThrow(
      expect.objectContaining({
        code: 'misfit/tokenizer',
        message: expect.stringContaining('must contain') as string,
      }),
    );
  });

  it('thinks or not as the size of the model does', () => {
    const tokenizer = standInTokenizer(
      '<|im_start|> <|im_end|> <tool_call> </tool_call> <think> </think> <tool_response> </tool_response>'.split(
        ' ',
      ),
    ).ours;
    const messages: Message[] = [{ role: 'user', content: 'q' }];
    const small = rendererFor('Qwen/Qwen3.5-2B', tokenizer).render({ messages });
    const quiet = rendererFor('Qwen/Qwen3.5-9B', tokenizer, { thinking: false }).render({
      messages,
    });
    expect(small.tokenIds).toEqual(quiet.tokenIds);
  });
});

describe.each([smolLm2, chatMl])('$id', (family) => {
  const { ours, encode } = standInTokenizer(['<|im_start|>', '<|im_end|>', '<|endoftext|>']);
  const renderer = makeRenderer(family, ours);

  it('refuses tools, which its template would drop', () => {
    const messages: Message[] = [{ role: 'user', content: 'q' }];
    expect(() => renderer.render({ messages, tools: [{ name: 'f' }] })).toThrow(
      /declares no tools/,
    );
  });

  it('parses its reply and bridges from it', () => {
    const messages: Message[] = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a\n' },
      { role: 'user', content: 'n' },
    ];
    const promptIds = renderer.render({ messages: messages.slice(0, 1) }).tokenIds;
    const completionIds = Int32Array.from(encode('a\n<|im_end|>'));
    expect(renderer.parse(completionIds)).toEqual({ content: 'a\n', reasoning: null, calls: [] });
    const bridged = renderer.bridge({ previous: { promptIds, completionIds }, messages, from: 2 });
    expect(bridged?.tokenIds).toEqual(renderer.render({ messages }).tokenIds);
  });
});
