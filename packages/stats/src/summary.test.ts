import { expect, test } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { momentsOf } from './moments.ts';
import { summarize } from './summary.ts';
import type { ScoredRow } from './tally.ts';
import { Tally } from './tally.ts';

test('a run with unscored rollouts, parts and metrics', () => {
  const summary = summarize(
    Tally.of([
      { task: 'a', attempt: 1, reward: 1.1, rewards: { tests: 1, tidy: 1 }, metrics: { turns: 4 } },
      {
        task: 'a',
        attempt: 2,
        reward: 0,
        rewards: { tests: 0, tidy: null },
        metrics: { turns: 9 },
      },
      { task: 'b', attempt: 1, reward: 1, rewards: { tests: 1, tidy: 0 }, metrics: { turns: 2 } },
      { task: 'b', attempt: 2, reward: null, metrics: { turns: 900 } },
      { task: 'c', attempt: 1, reward: null },
    ]),
    { tests: 1, tidy: 0.1 },
  );
  expect(summary).toMatchObject({
    tasks: 3,
    attempts: 2,
    rollouts: 5,
    scored: 3,
    unscored: 2,
    solved: 2,
  });
  expect(summary.reward).toMatchObject({ n: 3, tasks: 2 });
  expect(summary.reward.mean).toBeCloseTo(0.7, 12);
  expect(summary.rewards['tests']?.mean).toBeCloseTo(2 / 3, 12);
  expect(summary.rewards['tidy']).toMatchObject({ mean: 0.5, n: 2 });
  expect(summary.metrics['turns']).toMatchObject({ mean: 5, n: 3 });
  expect(summary.bounds.allZero).toBeCloseTo(2.1 / 5, 12);
  expect(summary.bounds.allOne).toBeCloseTo(4.1 / 5, 12);
  expect(summary.bounds.worst).toEqual({ reward: 0, mean: summary.bounds.allZero });
  expect(summary.bounds.best.reward).toBe(1.1);
  expect(summary.bounds.best.mean).toBeCloseTo((2.1 + 2 * 1.1) / 5, 12);
  expect(
    summary.pass.map((pass) => [pass.k, pass.any.mean, pass.all.mean, pass.shortTasks]),
  ).toEqual([
    [1, 0.75, 0.75, 1],
    [2, 1, 0, 2],
  ]);
});

test('nothing at all, and nothing scored', () => {
  const empty = summarize(new Tally());
  expect(empty).toMatchObject({
    tasks: 0,
    rollouts: 0,
    pass: [],
    bounds: { allZero: null, allOne: null },
  });
  const unscored = summarize(Tally.of([{ task: 'a', reward: null }]));
  expect(unscored.reward).toMatchObject({ mean: null, interval: null });
  expect(unscored.bounds).toMatchObject({ allZero: 0, allOne: 1, best: { reward: 1, mean: 1 } });
});

test('the bar for solved can be lowered, and rounding does not miss it', () => {
  const tenTenths = Array.from({ length: 10 }, () => 0.1).reduce((sum, tenth) => sum + tenth, 0);
  expect(tenTenths).toBeLessThan(1);
  const rows: ScoredRow[] = [tenTenths, 0.6, 0.4].map((reward) => ({ task: 't', reward }));
  expect(summarize(Tally.of(rows)).solved).toBe(1);
  expect(summarize(Tally.of(rows, { solvedAt: 0.5 })).solved).toBe(2);
});

test('names of parts and tasks may be any text', () => {
  const summary = summarize(
    Tally.of([
      { task: '__proto__', reward: 1, metrics: Object.fromEntries([['__proto__', 3]]) },
      { task: 'constructor', reward: 0, metrics: { constructor: 5 } },
    ]),
  );
  expect(Object.entries(summary.metrics).map(([name, { mean }]) => [name, mean])).toEqual([
    ['__proto__', 3],
    ['constructor', 5],
  ]);
  expect(summary.tasks).toBe(2);
});

const rewardOf = (i: number): number => ((i * 7919) % 13) / 12;

test('a hundred thousand rollouts give what a direct calculation gives', () => {
  const tasks = 25_000;
  const tally = new Tally();
  const byTask: number[][] = Array.from({ length: tasks }, () => []);
  for (let i = 0; i < 100_000; i++) {
    tally.add({ task: `t${i % tasks}`, reward: rewardOf(i), metrics: { turns: i % 50 } });
    byTask[i % tasks]?.push(rewardOf(i));
  }
  const summary = summarize(tally);
  const direct = clusteredMean(byTask.map(momentsOf), [0, 1]);
  expect(summary.reward).toEqual(direct);
  expect(summary).toMatchObject({ rollouts: 100_000, attempts: 4, tasks });
});
