import { createRequire } from 'node:module';
import type * as Parser from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';

export interface Place {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Where each key of a TOML text is written, by path joined with NUL. Only asked for when there is something to
 * complain about, so a run that goes well never parses twice.
 */
export function placesInToml(text: string): ReadonlyMap<string, Place> {
  const { getStaticTOMLValue, parseTOML } = parser();
  const places = new Map<string, Place>();
  const note = (path: readonly string[], node: { readonly loc: AST.SourceLocation }): void => {
    const key = path.join('\0');
    if (!places.has(key))
      places.set(key, { line: node.loc.start.line, column: node.loc.start.column + 1 });
  };
  const visitPairs = (pairs: readonly AST.TOMLKeyValue[], base: readonly string[]): void => {
    for (const pair of pairs) {
      const path = [...base, ...pair.key.keys.map((part) => getStaticTOMLValue(part))];
      note(path, pair.key);
      visitValue(pair.value, path);
    }
  };
  const visitValue = (value: AST.TOMLContentNode, path: readonly string[]): void => {
    if (value.type === 'TOMLInlineTable') visitPairs(value.body, path);
    if (value.type === 'TOMLArray')
      value.elements.forEach((element, i) => visitElement(element, [...path, String(i)]));
  };
  const visitElement = (element: AST.TOMLContentNode, path: readonly string[]): void => {
    note(path, element);
    visitValue(element, path);
  };
  for (const item of parseTOML(text).body[0].body) {
    if (item.type === 'TOMLKeyValue') visitPairs([item], []);
    else {
      const path = item.resolvedKey.map(String);
      note(path, item);
      visitPairs(item.body, path);
    }
  }
  return places;
}

/** The place of `path`, or of the nearest table around it. */
export function placeOf(places: ReadonlyMap<string, Place>, path: readonly string[]): Place | null {
  for (let length = path.length; length > 0; length--) {
    const place = places.get(path.slice(0, length).join('\0'));
    if (place !== undefined) return place;
  }
  return null;
}

/** Loaded when the first problem is found, not with every start. */
function parser(): typeof Parser {
  return createRequire(import.meta.url)('toml-eslint-parser') as typeof Parser;
}
