import { asciiWords } from './ascii-words.ts';
import type { Split } from './split.ts';
import { TextBytes } from './text-bytes.ts';

/** What is used of the library, whose own types do not resolve from an ES module. */
export interface PreTokenizer {
  pre_tokenize(words: string | string[]): string[];
  /** Those of a sequence. */
  readonly tokenizers?: readonly (PreTokenizer | null)[];
  /** Of one that writes words in the alphabet of byte-level BPE. */
  readonly byte_encoder?: object;
  readonly add_prefix_space?: boolean;
  readonly pattern?: RegExp;
  /** As `tokenizer.json` has it. */
  readonly config?: { readonly behavior?: string; readonly pattern?: { readonly Regex?: string } };
}

/** @returns null for a pre-tokenizer that does more than split before it goes to bytes */
export function splitOf(preTokenizer: PreTokenizer | null): Split | null {
  const steps = (preTokenizer?.tokenizers ?? [preTokenizer]).filter((step) => step !== null);
  const last = steps.pop();
  const isSplit = steps.every(({ byte_encoder: encoder }) => encoder === undefined);
  if (last?.byte_encoder === undefined || last.add_prefix_space === true || !isSplit) return null;
  const ascii = steps.length === 1 ? fastOf(steps[0]) : null;
  if (ascii !== null) return ascii;
  const utf8 = new TextBytes();
  return (text, take) => {
    let words = [text];
    for (const step of steps) words = step.pre_tokenize(words);
    for (const word of words) {
      const length = utf8.write(word);
      take(utf8, 0, length);
    }
  };
}

function fastOf(step: PreTokenizer | undefined): Split | null {
  const { behavior, pattern: written } = step?.config ?? {};
  if (step?.pattern === undefined || behavior !== 'Isolated') return null;
  return asciiWords(written?.Regex ?? '', step.pattern);
}
