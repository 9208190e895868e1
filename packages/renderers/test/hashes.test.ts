import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteTokenizer, byteTokenizerJson } from '@vf/testkit';
import { expect, test } from 'vitest';
import { jinjaRenderer, loadTokenizer, rendererFor } from '../src/index.ts';
import type { RendererOptions } from '../src/index.ts';

const hashOf = (options: RendererOptions & { readonly renderer?: string } = {}): string =>
  rendererFor('', byteTokenizer, { renderer: 'qwen3', ...options }).templateSha256;

test('a template has one hash while family and options are the same', () => {
  expect(hashOf()).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf()).toBe(hashOf());
  expect(hashOf({ retention: 'all' })).toBe(hashOf());
});

test('another family or an option that changes the text is another template', () => {
  const other = hashOf({ thinking: false });
  const family = hashOf({ renderer: 'smollm2' });
  expect(new Set([hashOf(), other, family]).size).toBe(3);
  // As that of a template in Jinja, which reads the day too.
  expect(hashOf({ date: new Date('2026-01-02') })).toBe(hashOf());
});

test('a template of Jinja has the hash of its text', () => {
  const template = '{{ messages[0].content }}';
  const { templateSha256 } = jinjaRenderer({ template, eosToken: '<|im_end|>' }, byteTokenizer);
  expect(templateSha256).toBe(createHash('sha256').update(template).digest('hex'));
});

test('a tokenizer that is read from a folder has the hash of its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vf-hash-'));
  try {
    const json = JSON.stringify(byteTokenizerJson());
    await writeFile(join(folder, 'tokenizer.json'), json);
    const { sha256 } = await loadTokenizer(folder);
    expect(sha256).toBe(createHash('sha256').update(json).digest('hex'));
  } finally {
    await rm(folder, { recursive: true });
  }
});
