import { defineTaskset } from '@vf/core';
import type { Episode } from '@vf/core';
import { makeEpisode } from '@vf/testkit';
import { expect, test } from 'vitest';
import { exitCodeOf, gateFailure } from '../src/play/exit-code.ts';
import { GateKeeper } from '../src/play/gate-keeper.ts';
import { GroupKeeper } from '../src/play/group-keeper.ts';
import { jobsOf } from '../src/play/job.ts';
import { schedule } from '../src/play/schedule.ts';
import { Secrets } from '../src/index.ts';

const forever = new AbortController().signal;
const budget = { cost: null, tokens: null, time: null };
const gate = { stopAfter: 3, maxUnscored: { count: 0 }, minReward: null };

test('never more at once than the limit, in order, and all of them', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  await schedule(
    Array.from({ length: 20 }, (_, i) => i),
    4,
    forever,
    async (job) => {
      begun.push(job);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    },
  );
  expect(most).toBe(4);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test('nothing begins after stop, and what is under way is waited for', async () => {
  const stop = new AbortController();
  const ended: number[] = [];
  await schedule([1, 2, 3, 4, 5], 2, stop.signal, async (job) => {
    if (job === 2) stop.abort();
    await new Promise((done) => setTimeout(done, 5));
    ended.push(job);
  });
  expect(ended.toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test('a job that throws ends the schedule when the others are done', async () => {
  const ended: number[] = [];
  const work = schedule([1, 2, 3, 4, 5, 6], 2, forever, async (job) => {
    if (job === 1) throw new Error('disk');
    await new Promise((done) => setTimeout(done, 5));
    ended.push(job);
  });
  await expect(work).rejects.toThrow('disk');
  expect(ended).toEqual([2]);
});

test('a limit far beyond the jobs costs nothing', async () => {
  const ended: number[] = [];
  await schedule([1, 2, 3], Number.MAX_SAFE_INTEGER, forever, async (job) => {
    await Promise.resolve();
    ended.push(job);
  });
  expect(ended).toEqual([1, 2, 3]);
});

const failure = {
  errorCode: 'provider/auth',
  message: 'no',
  phase: 'agent',
  cost: null,
  tokens: 0,
};
const success = { errorCode: null, message: null, phase: null, cost: 1, tokens: 100 };

test('one failure in a row, often enough, stops the run; another code or a success begins anew', () => {
  const keeper = new GateKeeper({ gate, budget }, 0);
  expect(keeper.finished(failure, 1)).toBeNull();
  expect(keeper.finished(failure, 1)).toBeNull();
  expect(keeper.finished(success, 1)).toBeNull();
  expect(keeper.finished(failure, 1)).toBeNull();
  expect(keeper.finished({ ...failure, errorCode: 'runtime/boot_failed' }, 1)).toBeNull();
  expect(keeper.finished(failure, 1)).toBeNull();
  expect(keeper.finished(failure, 1)).toBeNull();
  expect(keeper.finished(failure, 1)).toMatchObject({
    code: 'same_failure',
    errorCode: 'provider/auth',
  });
});

test('successes in a row never stop a run, and stop_after = 0 never does', () => {
  const keeper = new GateKeeper({ gate, budget }, 0);
  for (let i = 0; i < 20; i++) expect(keeper.finished(success, 1)).toBeNull();
  const patient = new GateKeeper({ gate: { ...gate, stopAfter: 0 }, budget }, 0);
  for (let i = 0; i < 20; i++) expect(patient.finished(failure, 1)).toBeNull();
});

test.each([
  [{ ...budget, cost: 2 }, 2],
  [{ ...budget, tokens: 250 }, 3],
  [{ ...budget, time: 40 }, 4],
])('budget %o is used up after %d rollouts', (limits, rollouts) => {
  const keeper = new GateKeeper({ gate, budget: limits }, 0);
  const verdicts = Array.from(
    { length: 5 },
    (_, i) => keeper.finished(success, (i + 1) * 10)?.code ?? null,
  );
  expect(verdicts.indexOf('budget')).toBe(rollouts - 1);
});

test('what earlier sessions spent counts; time begins anew', () => {
  const limits = { cost: 5, tokens: null, time: 40 };
  const resumed = new GateKeeper({ gate, budget: limits }, 1_000, { cost: 4, tokens: 900 });
  expect(resumed.overBudget(1_030)).toBeNull();
  expect(resumed.finished(success, 1_031)).toMatchObject({ budget: 'cost' });
  const spent = new GateKeeper({ gate, budget: { ...budget, tokens: 900 } }, 0, {
    cost: 0,
    tokens: 900,
  });
  expect(spent.overBudget(0)).toMatchObject({ code: 'budget', budget: 'tokens' });
});

const summary = (scored: number, unscored: number, mean: number | null) =>
  ({ figures: { scored, unscored, rollouts: scored + unscored, reward: { mean } } }) as Parameters<
    typeof exitCodeOf
  >[1];

test.each<[Parameters<typeof exitCodeOf>[0], number, number, number | null, object, number]>([
  ['complete', 10, 0, 0, {}, 0],
  ['complete', 9, 1, 0.5, {}, 3],
  ['complete', 9, 1, 0.5, { maxUnscored: { count: 1 } }, 0],
  ['complete', 99, 1, 0.5, { maxUnscored: { share: 0.01 } }, 0],
  ['complete', 98, 2, 0.5, { maxUnscored: { share: 0.01 } }, 3],
  ['complete', 71, 29, 0.5, { maxUnscored: { share: 0.29 } }, 0],
  ['complete', 5, 0, 0.6 - 1e-16, { minReward: 0.6 }, 0],
  ['complete', 9, 1, 0.5, { minReward: 0.6 }, 3],
  ['complete', 0, 10, null, { maxUnscored: { count: 10 } }, 3],
  ['complete', 10, 0, 0.5, { minReward: 0.6 }, 5],
  ['complete', 10, 0, 0.6, { minReward: 0.6 }, 0],
  ['stopped', 3, 3, 0.5, {}, 4],
  ['interrupted', 3, 0, 1, {}, 130],
])(
  '%s with %d scored, %d unscored, mean %d, gate %o: exit %d',
  (status, scored, unscored, mean, over, code) => {
    expect(exitCodeOf(status, summary(scored, unscored, mean), { ...gate, ...over })).toBe(code);
  },
);

test.each<[Parameters<typeof exitCodeOf>[0], number, number, number, object, string | null]>([
  ['complete', 10, 0, 0.5, { minReward: 0.5 }, null],
  ['complete', 10, 0, 0.4321, { minReward: 1.2 }, 'reward 0.432 below min_reward 1.2'],
  ['complete', 10, 0, 0.59996, { minReward: 0.6 }, 'reward 0.59996 below min_reward 0.6'],
  ['complete', 9, 1, 0.5, { minReward: 0.6 }, null],
  [
    'complete',
    8,
    2,
    0.5,
    { maxUnscored: { count: 1 } },
    '2 of 10 rollouts unscored, above max_unscored 1',
  ],
  [
    'complete',
    8,
    2,
    0.5,
    { maxUnscored: { share: 0.07 } },
    '2 of 10 rollouts unscored, above max_unscored 7%',
  ],
  ['stopped', 3, 0, 0.1, { minReward: 0.6 }, null],
])(
  '%s with %d scored, %d unscored, mean %d, gate %o: says %s',
  (status, scored, unscored, mean, over, said) => {
    expect(gateFailure(status, summary(scored, unscored, mean), { ...gate, ...over })).toBe(said);
  },
);

const task = (key: string) => ({ key, hash: 'h', row: {}, task: { key } });

test('all attempts of a task stand together; what is done is left out', () => {
  const jobs = jobsOf(
    [task('a'), task('b')],
    2,
    ({ key }, attempt) => key === 'a' && attempt === 1,
  );
  const names = Array.from(jobs, (job) => `${job.task.key}:${job.attempt}`);
  expect(names).toEqual(['a:2', 'b:1', 'b:2']);
});

test('a group is scored once, when its last attempt is there, earlier sessions’ attempts included', async () => {
  const spec = defineTaskset({
    load: () => [],
    groupRewards: { rank: ({ traces }) => traces.map((_, i) => i) },
  }).spec;
  const taskset = {
    name: 't',
    spec,
    config: {},
    rewards: [],
    metrics: [],
    stops: [],
    groupWeights: { rank: 3 },
  };
  const stored = async (_task: string, attempt: number): Promise<Episode | null> =>
    attempt === 2 ? makeEpisode({}) : null;
  const keeper = new GroupKeeper(taskset, 3, stored);
  expect(keeper.isNeeded).toBe(true);
  expect(await keeper.add({ task: task('a'), attempt: 3 }, makeEpisode({}), forever)).toBeNull();
  expect(await keeper.add({ task: task('a'), attempt: 1 }, makeEpisode({}), forever)).toEqual({
    task: 'a',
    attempts: [1, 2, 3],
    rewards: { rank: { weight: 3, scores: [0, 1, 2] } },
  });
});

test('secrets that were taken are masked, all others are not known', () => {
  const secrets = new Secrets({ KEY: 'hunter2hunter2', OTHER: 'swordfish', EMPTY: '' });
  expect(secrets.take('KEY')).toBe('hunter2hunter2');
  expect(secrets.take('EMPTY')).toBeUndefined();
  expect(secrets.mask('a hunter2hunter2 b swordfish')).toBe('a «KEY» b swordfish');
});
