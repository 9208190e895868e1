import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteCharacters } from '../src/tokenizer/byte-level.ts';
import { tokenizerFrom } from '../src/tokenizer/hugging-face.ts';
import type { Tokenizer } from '../src/tokenizer/tokenizer.ts';
import { officialTokenizer } from './tokenizers.ts';

const families = ['qwen3', 'llama3_1', 'deepseek_v3', 'gptoss'] as const;

/** Text in which the rules of the patterns meet: contractions, runs of digits, signs, spaces and line ends. */
const pieces = oneof(
  constantFrom("'", "'s", "'LL", "'ve", "'r", ' ', '  ', '\t', '\v', '\n', '\r\n', '\n\n', '\0'),
  constantFrom('a', 'Zq', 'the', 'returned', '1', '23', '4567', '.', '((', '=>', '_', '"'),
  constantFrom(
    'é',
    'e\u0301',
    '\u0301',
    'ſ',
    '字',
    '٣',
    '\u00a0',
    '\u0085',
    '\u2028',
    '😀',
    '\ud800',
  ),
  string({ unit: 'grapheme', maxLength: 6 }),
  string({ unit: 'binary', maxLength: 6 }),
);
const texts = array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));

const gpt2 = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
/** The id of what the one merge of a small tokenizer makes. */
const joined = byteCharacters.length;

/** A tokenizer of bytes, where the last one of a text merges with the first one of another. */
function small(pair: readonly [string, string], pre_tokenizer: object, without = -1): Tokenizer {
  const [left, right] = [Buffer.from(pair[0]).at(-1), Buffer.from(pair[1])[0]].map(
    (byte) => byteCharacters[byte ?? 0] ?? '',
  );
  const tokens = [...byteCharacters, `${left}${right}`].map((token, id) => [token, id] as const);
  const vocab = Object.fromEntries(tokens.filter(([, id]) => id !== without));
  const model = { type: 'BPE', vocab, merges: [`${left} ${right}`] };
  const rest = { normalizer: null, post_processor: null, decoder: gpt2 };
  return tokenizerFrom({ model, pre_tokenizer, ...rest });
}

describe('a tokenizer', () => {
  it.each(families)('of %s gives the ids of the library it is built on', (id) => {
    const { ours, plain } = officialTokenizer(id);
    assert(
      property(texts, (text) => {
        expect(Array.from(ours.encode(text))).toEqual(plain(text));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same ids when it meets a word again', () => {
    const { ours, plain } = officialTokenizer('qwen3');
    const text = 'Antidisestablishmentarianism, unhyphenated: ähnlichkeitsüberlegungen!';
    expect([ours.encode(text), ours.encode(text)].map((ids) => Array.from(ids))).toEqual([
      plain(text),
      plain(text),
    ]);
  });

  it('takes a text of any length, and the next one after it', () => {
    const { ours, plain } = officialTokenizer('qwen3');
    for (const text of ['where ends meet, é '.repeat(9000), 'short', 'ſhort é']) {
      expect(Array.from(ours.encode(text))).toEqual(plain(text));
    }
  });

  it('merges a word of many thousands of letters', () => {
    const { ours, plain } = officialTokenizer('qwen3');
    const word = 'abracadabra'.repeat(3000);
    expect(Array.from(ours.encode(word))).toEqual(plain(word));
  });

  it('parts every number of Unicode where digits stand alone, as Python does', () => {
    for (const individual_digits of [true, false]) {
      const steps = [{ type: 'Digits', individual_digits }, gpt2];
      const tokenizer = small([' ', '②'], { type: 'Sequence', pretokenizers: steps });
      expect(Array.from(tokenizer.encode('x ②'))).not.toContain(joined);
    }
  });

  it('has the white space of Python, not that of JavaScript', () => {
    for (const split of [gpt2, { type: 'Sequence', pretokenizers: [gpt2] }]) {
      const [next, mark] = [small(['\n', '\u0085'], split), small(['\n', '\ufeff'], split)];
      expect(Array.from(next.encode('x\n\u0085'))).toContain(joined);
      expect(Array.from(mark.encode('x\n\ufeff'))).not.toContain(joined);
    }
  });

  it('leaves out bytes that are no tokens, and what stood beside them merges, as in Python', () => {
    const tokenizer = small(['a', 'b'], { ...gpt2, use_regex: false }, 4);
    const ids = ['a\u0004b', 'a\u0004\u0004', '\u0004', '\u0004', ''].map((text) =>
      Array.from(tokenizer.encode(text)),
    );
    expect(ids).toEqual([[joined], [97], [], [], []]);
  });
});
