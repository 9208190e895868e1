import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteCharacters } from '../src/tokenizer/byte-level.ts';
import { tokenizerFrom } from '../src/tokenizer/hugging-face.ts';
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
    const [space = '', first = ''] = [...Buffer.from(' ②')].map(
      (byte) => byteCharacters[byte] ?? '',
    );
    const joined = byteCharacters.length;
    const bytes = Object.fromEntries(byteCharacters.map((character, id) => [character, id]));
    const vocab = { ...bytes, [space + first]: joined };
    const byteLevel = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
    const split = (individual_digits: boolean) => ({
      type: 'Sequence',
      pretokenizers: [{ type: 'Digits', individual_digits }, byteLevel],
    });
    for (const single of [true, false]) {
      const rest = { normalizer: null, post_processor: null, decoder: byteLevel };
      const model = { type: 'BPE', vocab, merges: [`${space} ${first}`] };
      const tokenizer = tokenizerFrom({ model, pre_tokenizer: split(single), ...rest });
      expect(Array.from(tokenizer.encode('x ②'))).not.toContain(joined);
    }
  });
});
