/**
 * JSON text in one spelling per value: keys sorted, last duplicate wins, no white space, non-ASCII escaped, integers
 * exact at any size and apart from floats (Python's rules: 1 is not 1.0, 1e2 is 100.0, NaN and Infinity allowed).
 * @returns null when the text is not JSON
 */
export function canonicalJson(text: string): string | null {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    reader.space();
    return reader.at === text.length ? value : null;
  } catch (error) {
    if (error === notJson) return null;
    throw error;
  }
}

const notJson = new Error('not JSON');
const deepest = 900;
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const constants: Readonly<Record<string, string>> = {
  t: 'true',
  f: 'false',
  n: 'null',
  N: 'NaN',
  I: 'Infinity',
};

class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  space(): void {
    while (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.at++;
  }

  value(depth: number): string {
    if (depth > deepest) throw notJson;
    this.space();
    const first = this.text[this.at] ?? '';
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (first === '"') return escapeNonAscii(JSON.stringify(this.string()));
    const constant = constants[first];
    if (constant !== undefined) return this.literal(constant);
    if (this.text.startsWith('-Infinity', this.at)) return this.literal('-Infinity');
    return this.number();
  }

  literal(expected: string): string {
    if (!this.text.startsWith(expected, this.at)) throw notJson;
    this.at += expected.length;
    return expected;
  }

  number(): string {
    number.lastIndex = this.at;
    const match = number.exec(this.text);
    if (match === null) throw notJson;
    this.at = number.lastIndex;
    const isFloat = match[1] !== undefined || match[2] !== undefined;
    if (!isFloat) return match[0] === '-0' ? '0' : match[0];
    const value = Number(match[0]);
    const shortest = String(value);
    return /[.eIN]/.test(shortest) ? shortest : `${Object.is(value, -0) ? '-0' : shortest}.0`;
  }

  string(): string {
    const start = this.at;
    this.at++;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (Number.isNaN(code) || code < 0x20) throw notJson;
      this.at += code === 0x5c ? 2 : 1;
    }
    this.at++;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      throw notJson;
    }
  }

  array(depth: number): string {
    const items: string[] = [];
    this.at++;
    if (this.closes(']')) return '[]';
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.closes(']')) return `[${items.join(',')}]`;
      this.comma();
    }
  }

  object(depth: number): string {
    const entries = new Map<string, string>();
    this.at++;
    if (this.closes('}')) return '{}';
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw notJson;
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ':') throw notJson;
      this.at++;
      entries.set(key, this.value(depth + 1));
      if (this.closes('}')) return writeObject(entries);
      this.comma();
    }
  }

  closes(bracket: string): boolean {
    this.space();
    if (this.text[this.at] !== bracket) return false;
    this.at++;
    return true;
  }

  comma(): void {
    if (this.text[this.at] !== ',') throw notJson;
    this.at++;
  }
}

function writeObject(entries: ReadonlyMap<string, string>): string {
  const keys = [...entries.keys()].sort();
  return `{${keys.map((key) => `${escapeNonAscii(JSON.stringify(key))}:${entries.get(key)}`).join(',')}}`;
}

function escapeNonAscii(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A JSON value with its object keys sorted, undefined and null fields left out. */
export function sortedJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const entries = Object.entries(item).filter(([, field]) => field != null);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }) as string | undefined;
  return json ?? 'null';
}
