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

test('agrees with the interval for matched proportions', () => {
  const { reward } = compare(run(a), run(b));
  expect(reward.a).toBeCloseTo(0.5666666666666667, 12);
  expect(reward.b).toBeCloseTo(0.7, 12);
  expect(reward.difference.mean).toBeCloseTo(0.13333333333333336, 12);
  expect(reward.difference.standardError).toBeCloseTo(0.24247669279757303, 12);
  expect(reward.difference.interval?.[0]).toBeCloseTo(-0.5779851316042754, 9);
  expect(reward.difference.interval?.[1]).toBeCloseTo(0.7684613220804659, 9);
  expect(reward.p).toBeCloseTo(0.7145203405705456, 9);
  expect(reward.detectable).toBeCloseTo(0.901385205570024, 9);
  expect(reward.difference.tasks).toBe(5);
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
  expect(got.reward.difference.mean).toBeCloseTo(0.13333333333333336, 12);
  // Agresti and Min's interval of [0, .5, 1/6, 2/3, -1, -1] has this low end, that of [0, .5, .5, 2/3, -.5, 0] this
  // high one, both computed apart: every attempt passed or failed
  expect(got.worstCase?.[0]).toBeCloseTo(-0.698619516369397, 9);
  expect(got.worstCase?.[1]).toBeCloseTo(0.6030051830069052, 9);
});

test('what was planned and never played can be anything too', () => {
  const played = { t1: [1, 0.5], t2: [0.5] };
  const planned = { tasks: ['t1', 't2', 't3'], attempts: { a: 2, b: 2 } };
  const asNull = { t1: [1, 0.5], t2: [0.5, null], t3: [null, null] };
  const missing = compare(run(played), run(asNull), {}, planned);
  expect(missing.worstCase).toEqual(compare(run(asNull), run(asNull)).worstCase);
  expect(missing.unscored).toEqual({ a: 0, b: 3 });
  const whole = compare(run(a), run(a), {}, { tasks: Object.keys(a), attempts: { a: 1, b: 1 } });
  expect(whole.worstCase).toEqual(whole.reward.difference.interval);
});

test('the worst case knows that a rollout can get more than 1', () => {
  const rewards: Run = { t1: [1, null], t2: [1, 0], t3: [0, 1.5] };
  const one = compare(run(rewards), run(rewards)).worstCase;
  const more = compare(run(rewards), run(rewards), { tests: 1, tidy: 0.5 }).worstCase;
  expect(more?.[1]).toBeGreaterThan(one?.[1] ?? Infinity);
});

test('one task and no task have neither interval nor p', () => {
  const one = compare(run({ t: [1, 0] }), run({ t: [1, 1] }));
  expect(one.worstCase).toBeNull();
  expect(one.reward).toMatchObject({ a: 0.5, b: 1, p: null, detectable: null });
  expect(one.reward.difference).toMatchObject({ mean: 0.5, interval: null });
  const none = compare(run({ x: [1] }), run({ y: [1] })).reward;
  expect(none).toMatchObject({ a: null, b: null, p: null });
});

test('rewards that never vary: padded within a known range, unknown without', () => {
  const known = compare(run({ x: [0.1], y: [0.2] }), run({ x: [0.3], y: [0.4] })).reward;
  expect(known.difference.interval?.[0]).toBeLessThan(0);
  const unknown = compare(run({ x: [10], y: [20] }), run({ x: [12], y: [22] })).reward;
  expect(unknown).toMatchObject({ p: null, detectable: null });
  expect(unknown.difference).toMatchObject({ mean: 2, interval: null });
});

test('a run against itself: no difference, and an interval that says how sure that is', () => {
  const { difference, p } = compare(run(a), run(a)).reward;
  expect(difference.mean).toBe(0);
  expect(p).toBe(1);
  const [low, high] = difference.interval ?? [NaN, NaN];
  expect(low).toBeLessThan(0);
  expect(high).toBeCloseTo(-low, 12);
});

test('parts and metrics that both have, on the tasks that both have them for', () => {
  const row = (task: string, reward: number, rewards: object, metrics: object): ScoredRow => ({
    task,
    reward,
    rewards: { ...rewards },
    metrics: { ...metrics },
  });
  const got = compare(
    Tally.of([row('t', 1, { tests: 1, tidy: 0 }, { turns: 4 }), row('u', 1, { tests: 1 }, {})]),
    Tally.of([row('t', 0, { tests: 0 }, { turns: 9, calls: 1 }), row('u', 1, { tests: 1 }, {})]),
  );
  expect(Object.keys(got.rewards)).toEqual(['tests']);
  expect(got.rewards['tests']).toMatchObject({
    a: 1,
    b: 0.5,
    difference: { mean: -0.5, tasks: 2 },
  });
  expect(Object.keys(got.metrics)).toEqual(['turns']);
  expect(got.metrics['turns']).toMatchObject({ a: 4, b: 9, difference: { mean: 5, tasks: 1 } });
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
      expect(back.reward.difference.mean === null).toBe(forth.reward.difference.mean === null);
      expect(back.reward.difference.mean ?? 0).toBeCloseTo(-(forth.reward.difference.mean ?? 0), 9);
      expect(back.reward.p ?? -1).toBeCloseTo(forth.reward.p ?? -1, 9);
      expect(back.flips.aOnly.toSorted()).toEqual(forth.flips.bOnly.toSorted());
      expect(back.worstCase?.[0] ?? 0).toBeCloseTo(-(forth.worstCase?.[1] ?? 0), 9);
    }),
  );
});

const score = fc.double({ min: 0, max: 1, noNaN: true });
const filledRun = (rewards: Run, fill: readonly number[]): Run => {
  let at = 0;
  const one = (): number => fill[at++ % fill.length] ?? 0;
  return Object.fromEntries(
    Object.entries(rewards).map(([task, of]) => [task, of.map((reward) => reward ?? one())]),
  );
};

test('whatever the unscored rollouts got, the difference lies within the worst case', () => {
  const fills = fc.array(score, { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(runs, runs, fills, fills, (one, other, ofA, ofB) => {
      const { worstCase } = compare(run(one), run(other));
      if (worstCase === null) return;
      const filled = compare(run(filledRun(one, ofA)), run(filledRun(other, ofB)));
      const { mean } = filled.reward.difference;
      expect(worstCase[0]).toBeLessThanOrEqual((mean ?? NaN) + 1e-9);
      expect(worstCase[1]).toBeGreaterThanOrEqual((mean ?? NaN) - 1e-9);
    }),
  );
});

test('with every rollout scored, the worst case is the interval', () => {
  fc.assert(
    fc.property(runs, runs, (one, other) => {
      const whole = [run(filledRun(one, [0.5])), run(filledRun(other, [0.25]))] as const;
      const { reward, worstCase } = compare(...whole);
      expect(worstCase).toEqual(reward.difference.interval);
    }),
  );
});
