import { array, assert, constant, integer, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { bodyWithIds } from '../src/engine/body-with-ids.ts';

test('a body with ids is what JSON.stringify writes', () => {
  const usual = array(oneof(integer({ min: 0, max: 1100 }), integer({ min: 0, max: 999_999 })));
  const ids = oneof(
    usual,
    array(integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    array(integer({ min: 999_990, max: 1_000_010 })),
  );
  const rest = oneof(constant({}), record({ model: string(), n: integer() }));
  assert(
    property(ids, rest, (list, more) => {
      const body = bodyWithIds('token_ids', Int32Array.from(list), more);
      expect(body.toString()).toBe(JSON.stringify({ token_ids: list, ...more }));
    }),
  );
});
