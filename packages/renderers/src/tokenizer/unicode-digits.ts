type Fields = Readonly<Record<string, unknown>>;

/**
 * A pre-tokenizer of `tokenizer.json` that parts digits as Python's `tokenizers` does: every number of Unicode is one.
 * The library knows 0 to 9 only, and would join ② or ½ with what stands before it.
 */
export function withUnicodeDigits(preTokenizer: unknown): unknown {
  if (!isFields(preTokenizer)) return preTokenizer;
  const { type, pretokenizers: steps, individual_digits: single } = preTokenizer;
  if (type === 'Sequence' && Array.isArray(steps)) {
    return { ...preTokenizer, pretokenizers: steps.map(withUnicodeDigits) };
  }
  if (type !== 'Digits') return preTokenizer;
  const pattern = { Regex: single === true ? String.raw`\p{N}` : String.raw`\p{N}+` };
  return { type: 'Split', pattern, behavior: 'Isolated', invert: false };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
