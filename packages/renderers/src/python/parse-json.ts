import { JsonNumber } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { numberText } from './number-text.ts';

/** Deeper values are refused rather than overflowing the stack. */
const deepest = 500;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', new JsonNumber('NaN')],
  ['Infinity', new JsonNumber('Infinity')],
  ['-Infinity', new JsonNumber('-Infinity')],
];

/** Where a value of an object stands in the text. */
export interface Entry {
  readonly value: JsonValue;
  readonly text: string;
}

/** JSON by Python's rules: exact integers, NaN and Infinity allowed, the last of equal keys wins. Undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    return reader.ended() ? value : undefined;
  } catch (error) {
    if (error === notJson) return undefined;
    throw error;
  }
}

/** The entries of an object with the text of each value as it was written; undefined when the text is no object. */
export function parseEntries(text: string): ReadonlyMap<string, Entry> | undefined {
  const entries = new Map<string, Entry>();
  const reader = new Reader(text);
  try {
    reader.object(0, (key, value, written) => entries.set(key, { value, text: written }));
    return reader.ended() ? entries : undefined;
  } catch (error) {
    if (error === notJson) return undefined;
    throw error;
  }
}

const notJson = new Error('not JSON');

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  ended(): boolean {
    this.space();
    return this.at === this.text.length;
  }

  value(depth: number): JsonValue {
    if (depth > deepest) throw notJson;
    this.space();
    const first = this.text[this.at];
    if (first === '{') {
      const entries = new Map<string, JsonValue>();
      this.object(depth, (key, value) => entries.set(key, value));
      return entries satisfies JsonObject;
    }
    if (first === '[') return this.list(depth);
    if (first === '"') return this.string();
    const word = this.word();
    return word === undefined ? this.number() : word;
  }

  object(depth: number, entry: (key: string, value: JsonValue, text: string) => void): void {
    this.space();
    this.expect('{');
    if (this.takes('}')) return;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw notJson;
      const key = this.string();
      this.space();
      this.expect(':');
      this.space();
      const start = this.at;
      const value = this.value(depth + 1);
      entry(key, value, this.text.slice(start, this.at));
      if (this.takes('}')) return;
      this.expect(',');
    }
  }

  private list(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.expect('[');
    if (this.takes(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.takes(']')) return items;
      this.expect(',');
    }
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (Number.isNaN(code) || code < 0x20) throw notJson;
      this.at += code === 0x5c ? 2 : 1;
    }
    this.at++;
    try {
      return String(JSON.parse(this.text.slice(start, this.at)));
    } catch {
      throw notJson;
    }
  }

  private word(): JsonValue | undefined {
    for (const [word, value] of words) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return undefined;
  }

  private number(): JsonNumber {
    number.lastIndex = this.at;
    const match = number.exec(this.text);
    if (match === null) throw notJson;
    this.at = number.lastIndex;
    return new JsonNumber(numberText(match[0]));
  }

  private takes(closing: string): boolean {
    this.space();
    if (this.text[this.at] !== closing) return false;
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw notJson;
    this.at++;
  }

  private space(): void {
    while (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.at++;
  }
}
