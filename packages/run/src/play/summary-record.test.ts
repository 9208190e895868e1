import { Tally } from '@vf/stats';
import { describe, expect, test } from 'vitest';
import { summaryOfRecord, summaryRecord } from './summary-record.ts';
import { Ledger, runSummary } from './summary.ts';
import type { RunSummary } from './summary.ts';

/** Of rollouts whose rewards, metrics and stops have names that people made up. */
function madeSummary(spent: Partial<Ledger> = {}): RunSummary {
  const tally = new Tally();
  const ledger = Object.assign(new Ledger(), spent);
  for (const [attempt, reward] of [1, 0, null].entries()) {
    tally.add({
      task: 'täsk',
      attempt: attempt + 1,
      reward,
      rewards: { isRight: reward },
      metrics: { wordCount: 3, turns: 1 },
    });
  }
  Object.assign(ledger.weights, { isRight: 1 });
  Object.assign(ledger.stops, { myStop: 2 });
  const about = { taskset: 't', models: ['m'], harnesses: [{ id: 'h', version: null }] };
  const planned = { tasks: 1, attempts: 3, rollouts: 3 };
  const run = { run: 'r', dir: '/d', status: 'complete', seconds: 1 } as const;
  return runSummary({ ...about, ...run, planned, runtimes: ['docker'] }, tally, ledger);
}

/** Keys of `value` at any depth, but for those that people made up. */
function ownKeys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...(['rewards', 'metrics', 'weights', 'errors', 'stops'].includes(key) ? [] : ownKeys(inner)),
  ]);
}

test.each([
  ['all unknown', { priced: 0, unpriced: 2, cost: 0 }, null],
  ['unknown, beside failures that cost nothing', { priced: 1, unpriced: 1, cost: 0 }, null],
  ['a part of it known', { priced: 1, unpriced: 1, cost: 0.5 }, 0.5],
  ['free', { priced: 2, unpriced: 0, cost: 0 }, 0],
])('the cost of a run: %s', (_what, spent, cost) => {
  expect(madeSummary(spent).cost).toBe(cost);
});

describe('summary.json', () => {
  test('has snake_case names, and those that people made up as they are', () => {
    const record = summaryRecord(madeSummary());
    expect(ownKeys(record).filter((key) => !/^[a-z_]+$/.test(key))).toEqual([]);
    expect(record).toMatchObject({
      v: 2,
      figures: { rewards: { isRight: {} }, metrics: { wordCount: {} } },
      weights: { isRight: 1 },
      stops: { myStop: 2 },
      input_tokens: 0,
    });
  });

  test('is read back the same', () => {
    const summary = madeSummary();
    const stored: unknown = JSON.parse(JSON.stringify(summaryRecord(summary)));
    expect(summaryOfRecord(stored)).toEqual(summary);
  });

  test('of version 1 is still read', () => {
    const summary = madeSummary();
    const old: unknown = JSON.parse(JSON.stringify({ ...summary, v: 1 }));
    expect(summaryOfRecord(old)).toEqual(summary);
  });

  test('that is none, or lacks a part, is made again; a newer one is refused', () => {
    const record = summaryRecord(madeSummary());
    for (const value of [null, 'text', {}, { ...record, figures: {} }, { ...record, v: '2' }])
      expect(summaryOfRecord(value)).toBeNull();
    expect(() => summaryOfRecord({ ...record, v: 3 })).toThrow(
      expect.objectContaining({ code: 'store/newer_version' }),
    );
  });
});
