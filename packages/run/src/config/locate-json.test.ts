import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesInJson } from './locate-json.ts';

function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    return [at.join('\0'), ...pathsOf(inner, at)];
  });
}

test('has a place for each key and item of any JSON, and none of them twice', () => {
  const anyValue = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(anyValue, fc.constantFrom(undefined, 1, 4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { places, doubled } = placesInJson(text);
      expect([...places.keys()].toSorted()).toEqual(pathsOf(JSON.parse(text)).toSorted());
      expect(doubled).toEqual([]);
    }),
  );
});

test('a place is where the key or item begins', () => {
  const text = '{ "a": [1,\n  {"b": "x: {,"}],\r\n\n "c": null }';
  const { places } = placesInJson(text);
  expect(Object.fromEntries(places)).toEqual({
    a: { line: 1, column: 3 },
    'a\u00000': { line: 1, column: 9 },
    'a\u00001': { line: 2, column: 3 },
    'a\u00001\u0000b': { line: 2, column: 4 },
    c: { line: 4, column: 2 },
  });
});
