import { array, assert, integer, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { appended } from '../src/appended.ts';

const part = array(integer(), { maxLength: 40 }).map((ids) => Int32Array.from(ids));
/** Which of the rows so far goes on, and with what. */
const steps = array(tuple(nat(), part, part), { maxLength: 30 });

test('rows that go on from any row before are whole, and stay so', () => {
  assert(
    property(part, steps, (first, all) => {
      const rows: { readonly ids: Int32Array; readonly said: readonly number[] }[] = [
        { ids: first, said: [...first] },
      ];
      for (const [from, one, other] of all) {
        const row = rows[from % rows.length];
        if (row === undefined) continue;
        rows.push({ ids: appended(row.ids, one, other), said: [...row.said, ...one, ...other] });
      }
      for (const { ids, said } of rows) expect([...ids]).toEqual(said);
    }),
  );
});

test('a row that goes on the second time stays where it is, and a part of it does not', () => {
  const row = appended(Int32Array.from({ length: 20 }), Int32Array.of(5));
  const next = appended(row, Int32Array.of(6));
  expect(next.buffer).toBe(row.buffer);
  expect(appended(row, Int32Array.of(7)).buffer).not.toBe(row.buffer);
  expect(appended(next.subarray(0, 2), Int32Array.of(8)).buffer).not.toBe(row.buffer);
});
