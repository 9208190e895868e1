import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import recorded from '../../test/vectors/canonical-json.json' with { type: 'json' };
import { canonicalJson, sortedJson } from './canonical-json.ts';

/** Texts with Python's canonical form, null where its json refuses the text. */
const vectors = recorded.map(([text, python]) => [text ?? '', python ?? null] as const);

describe('canonicalJson', () => {
  it('refuses what Python refuses [graph/canonical-arguments]', () => {
    const refused = (text: string) => canonicalJson(text) === null;
    expect(vectors.map(([text]) => [text, refused(text)])).toEqual(
      vectors.map(([text, python]) => [text, python === null]),
    );
  });

  it('holds two texts equal exactly where Python does [graph/canonical-arguments]', () => {
    const texts = vectors.filter(([, python]) => python !== null);
    const ours = new Map<string | null, string | null>();
    const pythons = new Map<string | null, string | null>();
    for (const [text, python] of texts) {
      const own = canonicalJson(text);
      expect(ours.get(own) ?? python, text).toBe(python);
      expect(pythons.get(python) ?? own, text).toBe(own);
      ours.set(own, python);
      pythons.set(python, own);
    }
    expect(ours.size).toBeGreaterThan(60);
  });

  it('does not depend on white space and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(canonicalJson(JSON.stringify(value, null, 2))).toBe(canonicalJson(text));
        expect(canonicalJson(canonicalJson(text) ?? '')).toBe(canonicalJson(text));
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['string', 'object']).toContain(typeof canonicalJson(text));
      }),
    );
    expect(canonicalJson('['.repeat(100_000))).toBe(null);
  });
});

describe('sortedJson', () => {
  it('sorts keys at every depth and drops null and undefined fields', () => {
    expect(sortedJson({ b: [{ d: 1, c: null }], a: undefined })).toBe('{"b":[{"d":1}]}');
    expect(sortedJson({ b: 1, a: 2 })).toBe(sortedJson({ a: 2, b: 1 }));
  });

  it('writes something for what JSON has no text for', () => {
    expect(sortedJson(undefined)).toBe('null');
  });
});
