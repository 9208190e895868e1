import { expect, test } from 'vitest';
import { BusyTime } from './busy-time.ts';

test.each([
  ['nothing', [], 0],
  ['one', [[10, 15]], 5],
  [
    'overlapping, in any order',
    [
      [12, 20],
      [10, 15],
      [13, 14],
    ],
    10,
  ],
  [
    'with a night between them',
    [
      [10, 15],
      [5000, 5007],
    ],
    12,
  ],
  ['one that never began', [[0, 0]], 0],
] as const)('%s', (_, spans, seconds) => {
  const busy = new BusyTime();
  for (const [start, end] of spans) busy.add({ start, end });
  expect(busy.seconds).toBe(seconds);
});
