import { describe, expect, test } from 'vitest';
import { checkTokenizer } from '../src/engine/check-tokenizer.ts';
import type { Recorded } from './recorded.ts';
import { answering } from './recorded.ts';

const { signal } = new AbortController();
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
  await checkTokenizer('vllm', { baseUrl: silent.url }, 'm', spy, signal);
  return { status: 200, body: { tokens: [...Buffer.from(seen[0] ?? '')].map((id) => id + shift) } };
}

describe('the tokenizer of the model that is served [train/renderer-refused]', () => {
  test.each([
    ['llama.cpp', { content: expect.any(String) as string, add_special: false }],
    ['vllm', { model: 'm', prompt: expect.any(String) as string, add_special_tokens: false }],
    ['sglang', { model: 'm', prompt: expect.any(String) as string, add_special_tokens: false }],
  ] as const)('passes, another one is refused: %s', async (engine, body) => {
    await using same = await answering(await bytesOf());
    await checkTokenizer(engine, { baseUrl: same.url }, 'm', letters, signal);
    expect(same.received).toMatchObject([{ path: '/tokenize', body }]);
    await using other = await answering(await bytesOf(1));
    const options = { baseUrl: same.url, replicas: [other.url] };
    await expect(checkTokenizer(engine, options, 'm', letters, signal)).rejects.toMatchObject({
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
    const checked = checkTokenizer('vllm', { baseUrl: server.url }, 'm', letters, signal);
    await expect(checked).resolves.toBeUndefined();
  });
});
