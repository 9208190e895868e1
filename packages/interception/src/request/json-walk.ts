/**
 * Finds where values of JSON text begin and end, without recursion. It balances brackets and skips strings but does
 * not validate: `JSON.parse` of the same bytes does that, natively.
 */

/** `[start, end)` of a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `"key": value` of an object: the value's span, and where the key's quote stands. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Span;
  /** The value is the one that was known under this key. */
  readonly isKnown: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function skipSpace(bytes: Buffer, at: number): number {
  while (isSpace(bytes[at])) at++;
  return at;
}

/**
 * Spans of a list's items from `at`, where an item or the list's end stands, up to its closing bracket (`end` is
 * that bracket) or to the end of the bytes. Null when the bytes are no such list.
 */
export function walkItems(
  bytes: Buffer,
  at: number,
): { readonly items: readonly Span[]; readonly end: number } | null {
  const items: Span[] = [];
  at = skipSpace(bytes, at);
  while (at < bytes.length && bytes[at] !== closeBracket) {
    const end = valueEnd(bytes, at);
    if (end === -1) return null;
    items.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
  }
  return at >= bytes.length || bytes[at] === closeBracket ? { items, end: at } : null;
}

/**
 * Members of the object that the bytes are, in order, repeated keys included; null when they are none.
 * @param known a value's bytes by key; where they stand again they are not walked
 */
export function walkMembers(
  bytes: Buffer,
  known: (key: string) => Buffer | undefined = () => undefined,
): readonly Member[] | null {
  const members: Member[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== openBrace) return null;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] === quote) {
    const member = memberAt(bytes, at, known);
    if (member === null) return null;
    members.push(member);
    at = skipSpace(bytes, member.value.end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
  }
  return bytes[at] === closeBrace ? members : null;
}

function memberAt(
  bytes: Buffer,
  at: number,
  known: (key: string) => Buffer | undefined,
): Member | null {
  const keyEnd = stringEnd(bytes, at);
  if (keyEnd === -1) return null;
  const separator = skipSpace(bytes, keyEnd);
  if (bytes[separator] !== colon) return null;
  const key = keyOf(bytes, at, keyEnd);
  const start = skipSpace(bytes, separator + 1);
  const before = known(key);
  if (before !== undefined && standsAt(bytes, start, before)) {
    return { key, start: at, value: { start, end: start + before.length }, isKnown: true };
  }
  const end = valueEnd(bytes, start);
  return end === -1 ? null : { key, start: at, value: { start, end }, isKnown: false };
}

/** Is the value that begins at `at` spelt like `value`, and not longer? */
function standsAt(bytes: Buffer, at: number, value: Buffer): boolean {
  const end = at + value.length;
  if (end > bytes.length || bytes.compare(value, 0, value.length, at, end) !== 0) return false;
  const next = bytes[skipSpace(bytes, end)];
  return next === comma || next === closeBrace;
}

function keyOf(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    // The native parse of the whole rejects it too.
    return text;
  }
}

/** End of the value that begins at `at`, -1 when it has none. */
function valueEnd(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return stringEnd(bytes, at);
  if (first === openBrace || first === openBracket) return nestedEnd(bytes, at);
  const end = scalarEnd(bytes, at);
  return end === at ? -1 : end;
}

function nestedEnd(bytes: Buffer, at: number): number {
  let depth = 0;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = stringEnd(bytes, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at + 1;
  }
  return -1;
}

function scalarEnd(bytes: Buffer, at: number): number {
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === comma || byte === closeBracket || byte === closeBrace || isSpace(byte)) break;
  }
  return at;
}

/** Strings longer than this are searched natively for their end. */
const shortString = 48;

function stringEnd(bytes: Buffer, at: number): number {
  let from = at + 1;
  for (;;) {
    const most = Math.min(bytes.length, from + shortString);
    for (; from < most; from++) {
      const byte = bytes[from];
      if (byte === quote) return from + 1;
      if (byte === backslash) from++;
    }
    if (from >= bytes.length) return -1;
    const end = bytes.indexOf(quote, from);
    if (end === -1) return -1;
    let escapes = end;
    while (escapes > from && bytes[escapes - 1] === backslash) escapes--;
    // Two backslashes stand for one, an odd one escapes the quote.
    if ((end - escapes) % 2 === 0) return end + 1;
    from = end + 1;
  }
}
