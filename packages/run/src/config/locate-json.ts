import type { Place } from './locate.ts';

/** A key that an object has twice; the first one would be lost. */
export interface DoubledKey {
  readonly path: readonly string[];
  readonly place: Place;
  readonly first: Place;
}

interface Open {
  readonly path: readonly string[];
  readonly isList: boolean;
  /** Of a list: the index that the next value has. */
  count: number;
  /** Of an object: the key of the next value. */
  key: string | null;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Where each key of a JSON text is written, by path joined with NUL, and the keys that are there twice.
 * @param text known to parse
 */
export function placesInJson(text: string): {
  readonly places: ReadonlyMap<string, Place>;
  readonly doubled: readonly DoubledKey[];
} {
  const places = new Map<string, Place>();
  const doubled: DoubledKey[] = [];
  const open: Open[] = [];
  const placeAt = lineCounter(text);
  const note = (path: readonly string[], index: number): void => {
    const place = placeAt(index);
    const first = places.get(path.join('\0'));
    if (first === undefined) places.set(path.join('\0'), place);
    else doubled.push({ path, place, first });
  };
  const inside = (): readonly string[] => {
    const around = open.at(-1);
    if (around === undefined) return [];
    return [...around.path, around.isList ? String(around.count) : (around.key ?? '')];
  };
  for (const { 0: found, index } of text.matchAll(token)) {
    const around = open.at(-1);
    const isKey = around !== undefined && !around.isList && around.key === null;
    if (found === '}' || found === ']') open.pop();
    else if (found === ',') next(around);
    else if (found === ':') continue;
    else if (isKey) {
      around.key = JSON.parse(found) as string;
      note(inside(), index);
    } else {
      if (around?.isList === true) note(inside(), index);
      if (found === '{' || found === '[')
        open.push({ path: inside(), isList: found === '[', count: 0, key: null });
    }
  }
  return { places, doubled };
}

function next(around: Open | undefined): void {
  if (around === undefined) return;
  around.count++;
  around.key = null;
}

/** Lines and columns of offsets that only grow. */
function lineCounter(text: string): (index: number) => Place {
  let line = 1;
  let start = 0;
  return (index) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < index;) {
      line++;
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    return { line, column: index - start + 1 };
  };
}
