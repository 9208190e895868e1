import type { Family } from '../src/family.ts';
import { glm46, glm47 } from '../src/families/glm.ts';
import { minimaxM2 } from '../src/families/minimax-m2.ts';
import { nemotron3 } from '../src/families/nemotron-3.ts';
import { qwen3 } from '../src/families/qwen3.ts';
import { qwen35 } from '../src/families/qwen3-5.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import type { Renderer, RendererOptions } from '../src/renderer.ts';
import { officialTokenizer, standInTokenizer } from './tokenizers.ts';
import type { TestTokenizer } from './tokenizers.ts';
import type { Case } from './corpus.ts';

/** A family under test, and the tokenizer it is tested with. */
export interface Subject {
  readonly family: Family;
  readonly vectors: string;
  readonly tokenizer: () => TestTokenizer;
  /** Cases that ours refuses rather than lose a message as the template does. */
  readonly refuses: readonly string[];
  readonly options?: RendererOptions;
}

function standIn(family: Family, refuses: readonly string[] = []): Subject {
  const tokenizer = () => standInTokenizer([...family.controls, '<|endoftext|>']);
  return { family, vectors: family.id, tokenizer, refuses };
}

export const subjects: readonly Subject[] = [
  { family: qwen3, vectors: 'qwen3', tokenizer: () => officialTokenizer('qwen3'), refuses: [] },
  standIn(qwen35, ['system in the middle']),
  standIn(glm46),
  standIn(glm47),
  standIn(minimaxM2, ['system in the middle']),
  standIn(nemotron3),
];

export function rendererOf(subject: Subject, entry?: Case): Renderer {
  return makeRenderer(subject.family, subject.tokenizer().ours, {
    ...subject.options,
    ...(entry?.thinking === undefined ? {} : { thinking: entry.thinking }),
    ...(entry?.keepThinking === undefined ? {} : { keepThinking: entry.keepThinking }),
  });
}
