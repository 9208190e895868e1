import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTemplate, resolveEnv, toRowValue } from './env-template.ts';

test.each([
  ['${A}', { name: 'A', fallback: null }],
  ['${A_1:-}', { name: 'A_1', fallback: '' }],
  ['${A:-${B}}', { name: 'A', fallback: '${B}' }],
  ['${A:-two\nlines}', { name: 'A', fallback: 'two\nlines' }],
  ['', null],
  ['plain', null],
  ['a ${A}', null],
  ['${A} ', null],
  ['$A', null],
  ['${}', null],
])('%j', (value, template) => {
  expect(parseTemplate(value)).toEqual(template);
});

const missing = (key: string, variable: string): never => {
  throw new Error(`${key} needs ${variable}`);
};

test('a variable wins over the default, and one that is missing is told', () => {
  const set = (name: string) => (name === 'A' ? 'set' : undefined);
  const env = { X: '${A:-d}', Y: '${B:-d}', Z: 'z ${A}' };
  expect(resolveEnv(env, set, missing)).toEqual({ X: 'set', Y: 'd', Z: 'z ${A}' });
  expect(() => resolveEnv({ X: '${B}' }, set, missing)).toThrow('X needs B');
});

test.each([
  ['a ${A}', 'a $${A}'],
  ['${A} ${A}', '$${A} $${A}'],
  ['$${A}', '$$${A}'],
])('%j is text in a row too: no variable is put into it', (value, written) => {
  expect(toRowValue(value)).toBe(written);
  expect(readAsRow(written)).toBe(value);
});

test('what is no template stays as it is, here and in a row', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('$', '{', '}', ':', '-', 'A', ' ') }),
      (value) => {
        fc.pre(parseTemplate(value) === null);
        expect(resolveEnv({ X: value }, () => 'no', missing)).toEqual({ X: value });
        expect(readAsRow(toRowValue(value))).toBe(value);
      },
    ),
  );
});

test('any name and default are found again', () => {
  const name = fc.stringMatching(/^\w+$/);
  fc.assert(
    fc.property(name, fc.option(fc.string()), (variable, fallback) => {
      const value = fallback === null ? `\${${variable}}` : `\${${variable}:-${fallback}}`;
      expect(parseTemplate(value)).toEqual({ name: variable, fallback });
      expect(toRowValue(value)).toBe(value);
    }),
  );
});

/** A row's env as the rollout reads it, with no variable set that it could name. */
function readAsRow(value: string): string {
  return value.replaceAll(/\$?\$\{(\w+)(?::-([^}]*))?\}/g, (whole: string) =>
    whole.startsWith('$$') ? whole.slice(1) : 'TAKEN',
  );
}
