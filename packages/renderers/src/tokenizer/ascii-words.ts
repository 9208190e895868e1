import { endByte, TextBytes } from './text-bytes.ts';
import type { Split } from './split.ts';

/**
 * Pre-tokenizers of one kind, by their pattern in `tokenizer.json`, with the digits that a word of theirs may have:
 * contractions; letters behind one other character; digits; other signs behind a space, with the line ends after them;
 * white space.
 */
const patterns: ReadonlyMap<string, number> = new Map(
  [1, 3].flatMap((digits) =>
    ['\\p{L}', '\\p{L}\\p{M}'].map((letters) => [patternOf(letters, digits), digits] as const),
  ),
);

function patternOf(letters: string, digits: number): string {
  const word = letters === '\\p{L}' ? '\\p{L}+' : `[${letters}]+`;
  const count = digits === 1 ? '' : `{1,${digits}}`;
  return `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?${word}|\\p{N}${count}| ?[^\\s${letters}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
}

const other = 0;
const letter = 1;
const digit = 2;
const space = 3;
const lineEnd = 4;
/** Not ASCII: what it is, the pattern knows. */
const foreign = 5;
/** Behind the text. */
const nothing = 6;

/** By byte of UTF-8. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === endByte) return nothing;
  if (byte > 127) return foreign;
  const character = String.fromCharCode(byte);
  if (/[a-z]/i.test(character)) return letter;
  if (/[0-9]/.test(character)) return digit;
  if (/[\r\n]/.test(character)) return lineEnd;
  return /[\t\v\f ]/.test(character) ? space : other;
});

/**
 * Words as one of these patterns finds them, many times as fast as a regular expression where the text is ASCII;
 * where it is not, the expression is asked.
 * @param written the pattern in `tokenizer.json`; @param pattern the same as an expression
 * @returns null for another pattern
 */
export function asciiWords(written: string, pattern: RegExp): Split | null {
  const digits = patterns.get(written);
  if (digits === undefined) return null;
  const sticky = new RegExp(pattern.source, 'uy');
  const utf8 = new TextBytes();
  return (text, take) => {
    const length = utf8.write(text);
    const { bytes } = utf8;
    // How many more bytes than characters there were.
    let ahead = 0;
    for (let at = 0; at < length;) {
      let end = endOfWord(bytes, at, digits);
      if (end < 0) {
        sticky.lastIndex = at - ahead;
        const word = sticky.exec(text)?.[0] ?? text.slice(at - ahead);
        end = at + Buffer.byteLength(word);
        ahead += end - at - word.length;
      }
      take(utf8, at, end);
      at = end;
    }
  };
}

function kindAt(bytes: Uint8Array, at: number): number {
  return kinds[bytes[at] as number] as number;
}

/** −1 where a character beyond ASCII has a say. */
function endOfWord(bytes: Uint8Array, at: number, digits: number): number {
  const kind = kindAt(bytes, at);
  if (kind === letter) return endOf(letter, bytes, at + 1);
  if (kind === digit) return endOfDigits(bytes, at, digits);
  if (kind === foreign) return -1;
  const contraction = bytes[at] === 39 ? contractionAt(bytes, at) : 0;
  if (contraction !== 0) return at + contraction;
  const next = kindAt(bytes, at + 1);
  if (next === foreign) return -1;
  if (kind !== lineEnd && next === letter) return endOf(letter, bytes, at + 2);
  if (kind === other) return endOfSigns(bytes, at + 1);
  if (next === other && bytes[at] === 32) return endOfSigns(bytes, at + 2);
  return endOfSpace(bytes, at);
}

/** Where a run of a kind ends that holds up to `at`. */
function endOf(kind: number, bytes: Uint8Array, at: number): number {
  let end = at;
  let next = kindAt(bytes, end);
  while (next === kind) next = kindAt(bytes, ++end);
  return next === foreign ? -1 : end;
}

function endOfDigits(bytes: Uint8Array, at: number, digits: number): number {
  let end = at + 1;
  while (end < at + digits && kindAt(bytes, end) === digit) end++;
  return end < at + digits && kindAt(bytes, end) === foreign ? -1 : end;
}

function endOfSigns(bytes: Uint8Array, at: number): number {
  let end = endOf(other, bytes, at);
  if (end >= 0) while (kindAt(bytes, end) === lineEnd) end++;
  return end;
}

/** Up to the last line end; else all but the last space before a word, which that word takes. */
function endOfSpace(bytes: Uint8Array, at: number): number {
  let end = at;
  let line = -1;
  let kind = kindAt(bytes, end);
  for (; kind === space || kind === lineEnd; kind = kindAt(bytes, ++end)) {
    if (kind === lineEnd) line = end + 1;
  }
  if (kind === foreign) return -1;
  if (line >= 0) return line;
  return kind === nothing || end === at + 1 ? end : end - 1;
}

/** Characters of a contraction such as `'s` or `'re`; 0: none. */
function contractionAt(bytes: Uint8Array, at: number): number {
  const next = (bytes[at + 1] as number) | 32;
  // s, t, m, d
  if (next === 115 || next === 116 || next === 109 || next === 100) return 2;
  const after = (bytes[at + 2] as number) | 32;
  // re, ve, ll
  if ((next === 114 || next === 118) && after === 101) return 3;
  return next === 108 && after === 108 ? 3 : 0;
}
