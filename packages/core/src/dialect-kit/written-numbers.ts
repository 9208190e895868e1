/** Texts of numbers, by the object or list of parsed JSON that they stand in, and the key or index. */
const texts = new WeakMap<object, Map<string, string>>();
const looked = new WeakSet<object>();

/** A whole number with a fraction or an exponent, and digits that a double has no room for. */
const lossy = /\d\.0+(?!\d)|\d[eE][+-]?\d|\d{16}/;
/** Deeper values keep JavaScript's numbers rather than overflow the stack. */
const deepest = 500;

/**
 * Remembers how the numbers of a parsed value were written where JavaScript does not say: 1.0, 1e5, 2^63. A value is
 * looked at once.
 * @param textOf the JSON that it was parsed from
 */
export function keepWrittenNumbers(value: unknown, textOf: () => string): void {
  if (typeof value !== 'object' || value === null || looked.has(value)) return;
  looked.add(value);
  const text = textOf();
  if (lossy.test(text)) keep(value, twinOf(text), 0);
}

/** How a number in a parsed object or list was written, where `keepWrittenNumbers` has seen it. */
export function writtenNumber(holder: object, key: string | number): string | undefined {
  return texts.get(holder)?.get(String(key));
}

class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The parsed text with `Written` for numbers; null where it is nested too deeply for the stack. */
function twinOf(text: string): unknown {
  try {
    return JSON.parse(text, asWritten) as unknown;
  } catch {
    return null;
  }
}

function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source === undefined || source === String(value) ? value : new Written(source);
}

/** @param twin of `twinOf` */
function keep(value: object, twin: unknown, depth: number): void {
  if (typeof twin !== 'object' || twin === null || depth > deepest) return;
  const holder = value as Readonly<Record<string, unknown>>;
  for (const [key, item] of Object.entries(twin)) {
    const own = holder[key];
    if (item instanceof Written) {
      const known = texts.get(value) ?? new Map<string, string>();
      texts.set(value, known.set(key, item.text));
    } else if (typeof own === 'object' && own !== null) keep(own, item, depth + 1);
  }
}
