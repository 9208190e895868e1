import type { IndexEntry } from '@vf/store';
import { expect, test } from 'vitest';
import { VfError } from '@vf/core/errors';
import { entryMatcher, lineMatcher } from '../src/where/matches.ts';
import { parseWhere } from '../src/where/parse-where.ts';
import { entry } from './entry.ts';

function matches(where: string, about: Partial<IndexEntry>): boolean {
  return entryMatcher(parseWhere(where))(entry(about));
}

test.each([
  ['reward<1', { reward: 0.5 }, true],
  ['reward<1', { reward: 1 }, false],
  ['reward<1', { reward: null }, false],
  ['reward=0', { reward: 0 }, true],
  ['turns>40 cost>0.5', { turns: 41, cost: 0.6 }, true],
  ['turns>40 cost>0.5', { turns: 41, cost: 0.5 }, false],
  ['cost>=0', { cost: null }, false],
  ['task:django-*', { task: 'django-11099' }, true],
  ['task:django-*', { task: 'a', name: 'django-1' }, true],
  ['task:a.c', { task: 'abc' }, false],
  ['-task:django-*', { task: 'django-11099' }, false],
  ['stop:max_turns', { stop: 'max_turns' }, true],
  ['stop:max_turns', { stop: null }, false],
  ['-stop:max_turns', { stop: null }, true],
  ['err:runtime', { error: { code: 'runtime/box_gone', message: '' } }, true],
  ['err:runtime/box_*', { error: { code: 'runtime/box_gone', message: '' } }, true],
  ['err:*', { error: null }, false],
  ['tokens>14', { inputTokens: 10, outputTokens: 5 }, true],
  ['seconds<=2', { start: 10, end: 12 }, true],
  ['truncated', { isTruncated: true }, true],
  ['truncated', {}, false],
  ['-truncated', { isTruncated: true }, false],
  ['', {}, true],
] as const)('%s', (where, about, isMatch) => {
  expect(matches(where, about)).toBe(isMatch);
});

test('texts are looked for in the stored line, as JSON spells them', () => {
  const hasTexts = lineMatcher(parseWhere(String.raw`"say \"hi\"" -"rm -rf"`));
  expect(hasTexts?.(JSON.stringify({ content: 'They SAY "hi"' }))).toBe(true);
  expect(hasTexts?.(JSON.stringify({ content: 'say "hi", rm -rf' }))).toBe(false);
  expect(lineMatcher(parseWhere('reward<1'))).toBeNull();
});

test.each([
  ['reword<1', 'reword<1', 'there is no field "reword"', 'reward'],
  ['reward:1', 'reward:1', 'reward is a number', undefined],
  ['task<3', 'task<3', 'task is compared by pattern', undefined],
  ['reward<', 'reward<', 'lacks a value', undefined],
  ['reward<high', 'reward<high', 'high is no number', undefined],
  ['truncate', 'truncate', 'is no term', 'truncated'],
  ['truncated=1', 'truncated=1', 'truncated takes no value', undefined],
  ['hello', 'hello', 'is no term', undefined],
  ['""', '""', 'is empty', undefined],
])('%s is refused', (where, path, message, nearest) => {
  let error: unknown;
  try {
    parseWhere(`turns>1 ${where}`);
  } catch (thrown) {
    error = thrown;
  }
  expect(VfError.isInstance(error) && error.code).toBe('usage/invalid');
  const { problems } = error as VfError;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ path, message: expect.stringContaining(message) });
  expect(problems[0]?.nearest).toBe(nearest);
});
