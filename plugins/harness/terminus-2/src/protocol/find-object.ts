import { isObject, parseJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

export interface FoundObject {
  readonly object: JsonObject | null;
  readonly warnings: readonly string[];
}

/** The first JSON object in a text; one that breaks off, or stands among braces that are none, is mended. */
export function findObject(text: string): FoundObject {
  const start = text.indexOf('{');
  if (start < 0) return { object: null, warnings: [] };
  const end = endOfObject(text, start);
  const whole = end === null ? undefined : parseJson(text.slice(start, end));
  if (isObject(whole) && end !== null) return { object: whole, warnings: around(text, start, end) };
  const closed = closedObject(text.slice(start));
  if (closed !== null) return { object: closed, warnings: ['Missing closing braces were added.'] };
  const cutOut = anyObject(text);
  if (cutOut === null) return { object: null, warnings: [] };
  return { object: cutOut, warnings: ['The JSON object was cut out of mixed text.'] };
}

function around(text: string, start: number, end: number): readonly string[] {
  const before = text.slice(0, start).trim() !== '';
  const after = text.slice(end).trim() !== '';
  return [
    ...(before ? ['There is text before the JSON object; it was ignored.'] : []),
    ...(after ? ['There is text after the JSON object; it was ignored.'] : []),
  ];
}

interface Scan {
  /** Closing characters that are still due, innermost last. */
  readonly open: string[];
  inString: boolean;
  isEscaped: boolean;
}

const pairs: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** @returns has the outermost object just been closed? */
function step(scan: Scan, char: string): boolean {
  if (scan.isEscaped) scan.isEscaped = false;
  else if (scan.inString) {
    if (char === '\\') scan.isEscaped = true;
    else if (char === '"') scan.inString = false;
  } else if (char === '"') scan.inString = true;
  else if (pairs[char] !== undefined) scan.open.push(pairs[char]);
  else if (char === scan.open.at(-1)) {
    scan.open.pop();
    return scan.open.length === 0;
  }
  return false;
}

/** Behind the brace that closes the one at `start`; null when there is none. */
function endOfObject(text: string, start: number): number | null {
  const scan: Scan = { open: [], inString: false, isEscaped: false };
  for (let at = start; at < text.length; at++) {
    if (step(scan, text[at] ?? '')) return at + 1;
  }
  return null;
}

/** Only braces are added: a string that breaks off is no one's to finish. */
function closedObject(text: string): JsonObject | null {
  const scan: Scan = { open: [], inString: false, isEscaped: false };
  for (const char of text) step(scan, char);
  if (scan.inString || scan.open.length === 0) return null;
  const closed = parseJson(text + scan.open.toReversed().join(''));
  return isObject(closed) ? closed : null;
}

/** Bounds the work on a text that is all braces. */
const maxStarts = 200;

function anyObject(text: string): JsonObject | null {
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && tried < maxStarts; tried++) {
    const end = endOfObject(text, start);
    const found = end === null ? undefined : parseJson(text.slice(start, end));
    if (isObject(found)) return found;
    start = text.indexOf('{', start + 1);
  }
  return null;
}
