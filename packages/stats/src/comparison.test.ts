import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from './comparison.ts';
import type { ScoredRow } from './tally.ts';
import { Tally } from './tally.ts';

type Run = Record<string, readonly (number | null)[]>;

const run = (rewards: Run): Tally =>
  Tally.of(
    Object.entries(rewards).flatMap(([task, of]) =>
      of.map((reward): ScoredRow => ({ task, reward })),
    ),
  );

const a: Run = { t1: [1, 1], t2: [0, 1], t3: [0, 0], t4: [0, 0, 1], t5: [1] };
const b: Run = { t1: [1, 1], t2: [1, 1], t3: [1, 0], t4: [1, 1, 1], t5: [0] };

test('agrees with scipy: ttest_1samp of the differences of task means, its interval, sem', () => {
  const got = compare(run(a), run(b));
  expect(got.a).toBeCloseTo(0.5666666666666667, 12);
  expect(got.b).toBeCloseTo(0.7, 12);
  expect(got.difference.mean).toBeCloseTo(0.13333333333333336, 12);
  expect(got.difference.standardError).toBeCloseTo(0.3045944480416177, 12);
  expect(got.difference.interval?.[0]).toBeCloseTo(-0.7123564310022399, 9);
  expect(got.difference.interval?.[1]).toBeCloseTo(0.9790230976689065, 9);
  expect(got.p).toBeCloseTo(0.6841735724143464, 9);
  // (t.ppf(.975, 4) + t.ppf(.8, 4)) * sem
  expect(got.detectable).toBeCloseTo(1.1323023503652374, 9);
  expect(got.difference.tasks).toBe(5);
});

test('flips: solved more often than not in one run only', () => {
  expect(compare(run(a), run(b)).flips).toEqual({ aOnly: ['t5'], bOnly: ['t2', 't4'] });
});

test('unscored attempts and tasks in one run only; the worst case fills them against and for B', () => {
  const got = compare(
    run({ ...a, t3: [0, 0, null], t6: [1], t7: [1] }),
    run({ ...b, t5: [0, null], t6: [null], t8: [0] }),
  );
  expect(got.scoredOnlyIn).toEqual({ a: ['t6', 't7'], b: ['t8'] });
  expect(got.unscored).toEqual({ a: 1, b: 2 });
  expect(got.difference.mean).toBeCloseTo(0.13333333333333336, 12);
  // scipy's interval of [0, .5, 1/6, 2/3, -1, -1] has this low end; the high end is the plain one
  expect(got.worstCase?.[0]).toBeCloseTo(-0.8748447960471064, 9);
  expect(got.worstCase?.[1]).toBeCloseTo(0.9790230976689065, 9);
});

test('one task, no task, and differences that never vary have no p', () => {
  const one = compare(run({ t: [1, 0] }), run({ t: [1, 1] }));
  expect(one).toMatchObject({ a: 0.5, b: 1, p: null, worstCase: null, detectable: null });
  expect(one.difference).toMatchObject({ mean: 0.5, interval: null });
  expect(compare(run({ x: [1] }), run({ y: [1] }))).toMatchObject({ a: null, b: null, p: null });
  const flat = compare(run({ x: [0.1], y: [0.2] }), run({ x: [0.3], y: [0.4] }));
  expect(flat).toMatchObject({ p: null, detectable: null });
  expect(flat.difference.standardError).toBe(0);
});

test('a run against itself: no difference', () => {
  expect(compare(run(a), run(a))).toMatchObject({
    difference: { mean: 0, standardError: 0 },
    p: 1,
  });
});

const runs = fc.dictionary(
  fc.constantFrom('p', 'q', 'r', 's', 't', 'u'),
  fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }), {
    minLength: 1,
    maxLength: 4,
  }),
);

test('swapping the runs turns every sign and keeps p', () => {
  fc.assert(
    fc.property(runs, runs, (one, other) => {
      const forth = compare(run(one), run(other));
      const back = compare(run(other), run(one));
      expect(back.difference.mean === null).toBe(forth.difference.mean === null);
      expect(back.difference.mean ?? 0).toBeCloseTo(-(forth.difference.mean ?? 0), 9);
      expect(back.p ?? -1).toBeCloseTo(forth.p ?? -1, 9);
      expect(back.flips.aOnly.toSorted()).toEqual(forth.flips.bOnly.toSorted());
      expect(back.worstCase?.[0] ?? 0).toBeCloseTo(-(forth.worstCase?.[1] ?? 0), 9);
    }),
  );
});

test('the worst case never lies inside the plain interval', () => {
  fc.assert(
    fc.property(runs, runs, (one, other) => {
      const { difference, worstCase } = compare(run(one), run(other));
      if (!difference.interval) return;
      expect(worstCase?.[0]).toBeLessThanOrEqual(difference.interval[0]);
      expect(worstCase?.[1]).toBeGreaterThanOrEqual(difference.interval[1]);
    }),
  );
});
