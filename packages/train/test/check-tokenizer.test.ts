import { describe, expect, test } from 'vitest';
import { newPatience } from '../src/engine/ask-server.ts';
import type { Asking } from '../src/engine/ask-server.ts';
import { checkTokenizer } from '../src/engine/check-tokenizer.ts';
import type { EngineOptions } from '../src/engine/engine.ts';
import type { Recorded } from './recorded.ts';
import { answering } from './recorded.ts';

const { signal } = new AbortController();

function asking(options: EngineOptions): Asking {
  return { options, signal, patience: newPatience() };
}

const letters = { encode: (text: string) => [...Buffer.from(text)] };

/** What a server of bytes answers; the probe is not for this test to know. */
async function bytesOf(shift = 0): Promise<Recorded['response']> {
  const seen: string[] = [];
  const spy = {
    encode: (text: string) => {
      seen.push(text);
      return [];
    },
  };
  await using silent = await answering('hang up');
  await checkTokenizer('vllm', asking({ baseUrl: silent.url }), 'm', spy);
  return { status: 200, body: { tokens: [...Buffer.from(seen[0] ?? '')].map((id) => id + shift) } };
}

describe('the tokenizer of the model that is served [train/renderer-refused]', () => {
  test.each([
    ['llama.cpp', { content: expect.any(String) as string, add_special: false }],
    ['vllm', { model: 'm', prompt: expect.any(String) as string, add_special_tokens: false }],
    ['sglang', { model: 'm', prompt: expect.any(String) as string, add_special_tokens: false }],
  ] as const)('passes, another one is refused: %s', async (engine, body) => {
    await using same = await answering(await bytesOf());
    await checkTokenizer(engine, asking({ baseUrl: same.url }), 'm', letters);
    expect(same.received).toMatchObject([{ path: '/tokenize', body }]);
    await using other = await answering(await bytesOf(1));
    const options = { baseUrl: same.url, replicas: [other.url] };
    await expect(checkTokenizer(engine, asking(options), 'm', letters)).rejects.toMatchObject({
      code: 'misfit/tokenizer',
      message: expect.stringContaining(other.url) as string,
      hint: expect.stringContaining('client.tokenizer') as string,
    });
  });

  test.each([
    { status: 404, body: { detail: 'Not Found' } },
    { status: 200, body: { tokens: [] } },
    { status: 200, body: ['no', 'ids'] },
    'hang up' as const,
  ])('a server that does not tokenise passes: %j', async (answer) => {
    await using server = await answering(answer);
    const checked = checkTokenizer('vllm', asking({ baseUrl: server.url }), 'm', letters);
    await expect(checked).resolves.toBeUndefined();
  });
});
