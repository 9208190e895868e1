import { expect, test } from 'vitest';
import { defaults, parseOptions } from '../src/options.ts';

test('options have defaults and are numbers', () => {
  expect(parseOptions([])).toEqual(defaults);
  expect(parseOptions(['--held-out-rollouts', '2', '--out', 'x'])).toEqual({
    ...defaults,
    heldOutRollouts: 2,
    out: 'x',
  });
  expect(parseOptions(['-h'])).toBe('help');
});

test.each([
  ['--steps', 'many'],
  ['--steps', '-1'],
  ['--steps', '1.5'],
  ['--steps', '1e99'],
  ['--steps', ''],
  ['--stepps', '1'],
  ['--group', '0'],
  ['--sums', '0'],
  ['--held-out-rollouts', '0'],
  ['--learning-rate', 'NaN'],
  ['--seed', '0.5'],
])('%s %s is refused', (name, value) => {
  expect(() => parseOptions([`${name}=${value}`])).toThrow(name);
});
