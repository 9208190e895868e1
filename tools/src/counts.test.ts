import { expect, test } from 'vitest';

import { addCounts, countsLine, parseCounts } from './counts.ts';

const counts = { passed: 12, failed: 0, skipped: 3 };

test('a line of counts reads back as the counts', () => {
  expect(countsLine(counts)).toBe('12 passed, 0 failed, 3 skipped');
  expect(parseCounts(countsLine(counts))).toEqual(counts);
});

test('other lines are no counts', () => {
  expect(parseCounts('')).toBeUndefined();
  expect(parseCounts('Tests  12 passed, 0 failed, 3 skipped')).toBeUndefined();
  expect(parseCounts('12 passed, 0 failed')).toBeUndefined();
});

test('counts add up', () => {
  expect(addCounts(counts, { passed: 1, failed: 2, skipped: 0 })).toEqual({
    passed: 13,
    failed: 2,
    skipped: 3,
  });
});
