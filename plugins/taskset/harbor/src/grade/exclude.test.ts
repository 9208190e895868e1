import { expect, test } from 'vitest';
import { isExcluded } from './exclude.ts';

test.each([
  ['node_modules/a.js', 'node_modules', true],
  ['deep/node_modules/a.js', 'node_modules', true],
  ['node_modules2/a.js', 'node_modules', false],
  ['a/b/c.pyc', '*.pyc', true],
  ['a/b/c.py', '*.pyc', false],
  ['a/b/c', 'a/*c', true],
  ['a.c', 'a?c', true],
  ['abc', 'a.c', false],
  ['log1', 'log[0-9]', true],
  ['logx', 'log[!0-9]', true],
  ['log1', 'log[!0-9]', false],
  ['dir/x', 'dir/', true],
])('%s under %s: %s', (path, pattern, expected) => {
  expect(isExcluded(path, pattern)).toBe(expected);
});
