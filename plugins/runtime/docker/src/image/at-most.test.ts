import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

test('so many at once, the others in their order, also after a failure', async () => {
  const inTurn = atMost(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const all = gates.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index);
      return promise;
    }),
  );
  const settled = Promise.allSettled(all);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('no'));
  await expect(all[1]).rejects.toThrow('no');
  expect(begun).toEqual([0, 1, 2]);
  gates.forEach(({ resolve }, index) => resolve(index));
  expect((await settled).map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual([
    0,
    null,
    2,
    3,
    4,
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
