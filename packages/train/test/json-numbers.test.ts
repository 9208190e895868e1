import { parseJson } from '@vf/core/dialect';
import {
  assert,
  constantFrom,
  double,
  float,
  nat,
  oneof,
  property,
  stringMatching,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failed, JsonNumbers, Written } from '../src/engine/json-numbers.ts';

const behinds = constantFrom('', ',', ']', 'x');

/** Nothing of it is left out: no digit, fraction or exponent that is broken stands behind. */
const numberAhead = /^-?(0|[1-9]\d*)(?!\d)(\.\d+(?!\d)|(?!\.))([eE][+-]?\d+(?!\d)|(?![eE]))/;

/** A number that begins a text, as `JSON.parse` reads it, and where it ends. */
function numberIn(text: string): readonly [number, number] | null {
  const found = numberAhead.exec(text)?.[0] ?? '';
  const value = parseJson(found);
  return typeof value === 'number' ? [value, found.length] : null;
}

describe('a number', () => {
  const numbers = oneof(
    double({ noNaN: true, noDefaultInfinity: true }).map(String),
    float({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    float({ noNaN: true, min: -1, max: 0 }).map((value) => JSON.stringify(value)),
    // Right between two numbers of 32 bits, and a hair beside that.
    double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }).map((value) => {
      const rounded = Math.fround(value);
      const next = Math.fround(rounded * (1 + 2 ** -23));
      return String((rounded + next) / 2);
    }),
    stringMatching(/^-?[0-9]{1,25}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/),
    stringMatching(/^-?0\.0000[0-9]{12,18}[eE]-[0-9]{1,2}$/),
    stringMatching(/^[-+.eE0-9]{1,8}$/),
  );

  test('is what JSON.parse says, in 32 bits', () => {
    assert(
      property(numbers, behinds, nat(3), (text, behind, start) => {
        const json = new JsonNumbers(Buffer.from(`${' '.repeat(start)}${text}${behind}`));
        const end = json.float32(start);
        const told = numberIn(text);
        const isSmall = told !== null && Number.isFinite(Math.fround(told[0]));
        const read = end === failed ? null : [json.value, end - start];
        expect(read).toEqual(isSmall ? [Math.fround(told[0]), told[1]] : null);
      }),
      { numRuns: 10_000 },
    );
  });

  test('that is whole and has a sign, a dot or too many digits is none of the ids', () => {
    const whole = stringMatching(/^(0|-|[1-9]|214748364|0[0-9])[0-9]{0,3}$/);
    assert(
      property(whole, behinds, (text, behind) => {
        const json = new JsonNumbers(Buffer.from(text + behind));
        const end = json.integer(0);
        const isId = /^(0|[1-9][0-9]*)$/.test(text) && Number(text) < 2 ** 31;
        const isLed = !isId && /^0[0-9]/.test(text);
        expect(end).toBe(isId ? text.length : failed);
        expect(isLed && end !== failed).toBe(false);
        expect(json.whole).toBe(isId ? Number(text) : json.whole);
      }),
      { numRuns: 2000 },
    );
  });
});

test('bytes are passed where they stand, and nowhere else', () => {
  const text = stringMatching(/^[ab]{0,12}$/);
  assert(
    property(text, text, nat(8), nat(14), (all, some, at, length) => {
      const json = new JsonNumbers(Buffer.from(all));
      const isThere = all.startsWith(some, at) && at <= all.length;
      expect(json.pass(at, Written.of(some))).toBe(isThere ? at + some.length : failed);
      expect(json.pass(failed, Written.of(some))).toBe(failed);
      const to = Math.min(all.length, length);
      const from = Math.min(at, to);
      const again = all.slice(from, to);
      const isAgain = at <= all.length && all.startsWith(again, at);
      expect(json.repeat(at, from, to)).toBe(isAgain ? at + again.length : failed);
    }),
    { numRuns: 2000 },
  );
});
