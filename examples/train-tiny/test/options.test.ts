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

test.each([[['--steps', 'many']], [['--steps', '-1']], [['--stepps', '1']]])(
  '%j is refused',
  (args) => {
    expect(() => parseOptions(args)).toThrow(/--?step/);
  },
);
