import { VfError } from '@vf/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { criteriaForm } from './criteria-form.ts';
import { criteriaOf, formatCriteria, parseCriteria } from './criteria.ts';
import type { Criterion } from './criteria.ts';

const name = fc.stringMatching(/^[A-Za-z][\w-]{0,12}$/);
const line = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.replaceAll(/[\r\n]/g, '').trimEnd());
const text = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join('\n').trim())
  .filter((joined) => joined !== '');
const weight = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: 1, max: 99 }).map((n) => n / 4),
);
const criteria: fc.Arbitrary<Criterion[]> = fc
  .uniqueArray(fc.record({ name, weight, text }), { minLength: 1, selector: (one) => one.name })
  .filter((all) => all.some((one) => one.weight > 0))
  .map((all) => all.map((one) => ({ ...one, weight: one.weight + 0 })));

test('a list of criteria reads back as it was written', () => {
  fc.assert(
    fc.property(criteria, (all) => {
      expect(parseCriteria(formatCriteria(all))).toEqual(all);
    }),
  );
});

test('any text is criteria or a sentence about what is wrong', () => {
  const outcome = (list: string) => {
    try {
      return parseCriteria(list).length > 0;
    } catch (error) {
      return VfError.isInstance(error) && error.code === 'config/invalid';
    }
  };
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (list) => {
      expect(outcome(list)).toBe(true);
    }),
  );
});

test.each([
  ['', 'no criterion has a weight above 0'],
  ['Is it short?', 'line 1 is no criterion: Is it short?'],
  ['- a: one\n- a: two', 'criterion a is there twice'],
  ['- a:', 'criterion a says nothing'],
  ['- a (weight -1): bad', 'no criterion has a weight above 0'],
])('%j is refused', (list, message) => {
  expect(() => parseCriteria(list)).toThrow(message);
});

test('a name that cannot be a key of the verdict is refused', () => {
  expect(() => criteriaOf({ 'two words': 'x' })).toThrow('"two words" is no name for a criterion');
});

test('the score is the share of the weight that is met, within 0 and 1', () => {
  const form = criteriaForm(
    criteriaOf({ a: { text: 'x', weight: 3 }, b: 'y', bad: { text: 'z', weight: -2 } }),
  );
  const verdict = (met: readonly string[]) =>
    Object.fromEntries(
      ['a', 'b', 'bad'].map((one) => [one, { reasoning: '', met: met.includes(one) }]),
    );
  expect(form.score(verdict(['a', 'b']))).toBe(1);
  expect(form.score(verdict(['a', 'bad']))).toBe(0.25);
  expect(form.score(verdict(['bad']))).toBe(0);
  const votes = [verdict(['a']), verdict(['a', 'b']), verdict(['bad', 'b'])];
  expect(form.score(form.merge(votes))).toBe(1);
});

test('the judge is not told the weights, and must answer for each criterion', () => {
  const form = criteriaForm(criteriaOf({ a: { text: 'x', weight: 3 } }));
  expect(form.task).not.toContain('weight');
  expect(form.schema.safeParse({}).success).toBe(false);
  expect(form.schema.safeParse({ a: { reasoning: '', met: 'yes' } }).success).toBe(false);
});
