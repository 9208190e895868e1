import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount } from '../src/screen/format.ts';

test('a count has commas where English puts them', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: 0, max: 20_000 })), (n) => {
      expect(formatCount(n)).toBe(n.toLocaleString('en'));
    }),
  );
});
