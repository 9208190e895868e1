type Fields = Readonly<Record<string, unknown>>;

/** What `ByteLevel` with `use_regex` splits by: the pattern of GPT-2. */
const gpt2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;

/**
 * A pre-tokenizer of `tokenizer.json` as one sequence that splits as Python's `tokenizers` does. The library reads patterns
 * as Python does, but its own `Digits` knows 0 to 9 only, where every number of Unicode is one (②, ½), and the white space of
 * its `ByteLevel` is JavaScript's, which lacks U+0085 and has U+FEFF. So both are written as patterns.
 */
export function asPythonSplits(preTokenizer: unknown): unknown {
  if (!isFields(preTokenizer)) return preTokenizer;
  return { type: 'Sequence', pretokenizers: stepsOf(preTokenizer) };
}

function stepsOf(step: unknown): readonly unknown[] {
  if (!isFields(step)) return [step];
  const { type, pretokenizers } = step;
  if (type === 'Sequence' && Array.isArray(pretokenizers)) return pretokenizers.flatMap(stepsOf);
  if (type === 'Digits') return [splitBy(step['individual_digits'] === true ? numeral : numerals)];
  // One that puts a space before text, as no family's does, stays: the library has no other step that does.
  const isSplit = step['use_regex'] !== false && step['add_prefix_space'] !== true;
  if (type !== 'ByteLevel' || !isSplit) return [step];
  return [splitBy(gpt2), { ...step, use_regex: false }];
}

const numeral = String.raw`\p{N}`;
const numerals = String.raw`\p{N}+`;

function splitBy(pattern: string): Fields {
  return { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
