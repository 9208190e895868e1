/** A number that was written as a float although its value is whole: `1.0` is not an integer of the contract. */
export class WholeFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export interface StrictJson {
  readonly value: unknown;
  /** Path of each key that stands twice in one object. */
  readonly duplicates: readonly string[];
}

/**
 * Parses JSON so that a key given twice and a float where an integer is due can be told.
 * @throws SyntaxError where `JSON.parse` does
 */
export function strictJson(text: string): StrictJson {
  const value: unknown = JSON.parse(text, wholeFloats);
  return { value, duplicates: duplicateKeys(text) };
}

function wholeFloats(this: unknown, _key: string, value: unknown, context?: { source?: string }) {
  const isFloat = typeof value === 'number' && /[.eE]/.test(context?.source ?? '');
  return isFloat && Number.isInteger(value) ? new WholeFloat(value) : value;
}

/** The marks of a text that is known to be JSON, each string whole: a pattern for strings would recurse along them. */
function* marksOf(text: string): Generator<string, void> {
  const mark = /["{}[\]:,]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const end = found[0] === '"' ? endOfString(text, found.index) : found.index;
    yield text.slice(found.index, end + 1);
    mark.lastIndex = end + 1;
  }
}

/** Where the string that begins at `start` has its last quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before--;
    if ((at - before) % 2 === 0) return at;
  }
}

interface Level {
  /** Keys seen; null in a list. */
  readonly keys: Set<string> | null;
  /** Where it stands, `calls[0].`. */
  readonly path: string;
  key: string;
  index: number;
}

function duplicateKeys(text: string): string[] {
  const duplicates: string[] = [];
  const levels: Level[] = [];
  let last = '';
  for (const mark of marksOf(text)) {
    const level = levels.at(-1);
    if (mark === '{' || mark === '[') levels.push(inside(level, mark === '{'));
    else if (mark === '}' || mark === ']') levels.pop();
    else if (mark === ',' && level !== undefined) level.index++;
    else if (mark === ':' && level?.keys != null) {
      level.key = JSON.parse(last) as string;
      if (level.keys.has(level.key)) duplicates.push(`${level.path}${level.key}`);
      level.keys.add(level.key);
    }
    last = mark;
  }
  return duplicates;
}

function inside(outer: Level | undefined, isObject: boolean): Level {
  const at = outer === undefined ? '' : outer.keys === null ? `[${outer.index}]` : outer.key;
  const before =
    outer === undefined ? '' : outer.path.replace(/\.$/, outer.keys === null ? '' : '.');
  const here = `${before}${at}`;
  return {
    keys: isObject ? new Set() : null,
    path: here === '' || !isObject ? here : `${here}.`,
    key: '',
    index: 0,
  };
}
