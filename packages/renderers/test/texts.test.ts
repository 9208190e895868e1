import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { officialTokenizer } from './tokenizers.ts';

const names = ['qwen3', 'llama3_1', 'deepseek_v3', 'gptoss'] as const;

/** A text of all Unicode, and its ids by Python's `tokenizers`. */
interface Vector {
  readonly text: string;
  readonly ids: Readonly<Record<string, readonly number[]>>;
}

const lines = readFileSync(join(import.meta.dirname, 'vectors/texts.jsonl'), 'utf8').trim();
const vectors = lines.split('\n').map((line) => JSON.parse(line) as Vector);

describe('random texts of all Unicode', () => {
  it.each(names)('have the ids of Python by %s', (name) => {
    const { ours } = officialTokenizer(name);
    expect(vectors.length).toBeGreaterThan(300);
    for (const { text, ids } of vectors) {
      expect([text, Array.from(ours.encode(text))]).toEqual([text, ids[name]]);
    }
  });
});
