import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode } from '@vf/core';
import { makeEpisode, makeTrace } from '@vf/testkit';
import { RunWriter } from '@vf/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compareRuns, dropGate } from '../src/compare.ts';
import type { Allowed } from '../src/compare.ts';

interface Made {
  /** Rewards of each task's attempts; null for one without a score. */
  readonly rewards: Readonly<Record<string, readonly (number | null)[]>>;
  /** Rows that differ from those of other runs; by default the hash follows from the key. */
  readonly hashes?: Readonly<Record<string, string>>;
  readonly measured?: Readonly<Record<string, unknown>>;
  readonly scorers?: object;
  readonly images?: Readonly<Record<string, string | null>>;
  readonly attempts?: number;
  readonly created?: string;
  readonly parent?: string;
  /** The version of the model's weights, as an engine tells it of each call. */
  readonly version?: string;
}

const hashOf = (key: string): string => Buffer.from(key).toString('hex').padEnd(64, '0');

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vf-compare-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A run folder by the store's own writer; its traces are taken away, for a comparison does without. */
async function made(name: string, run: Made): Promise<string> {
  const dir = join(folder(), name);
  const keys = Object.keys(run.rewards);
  const hash = (key: string): string => run.hashes?.[key] ?? hashOf(key);
  const attempts = run.attempts ?? Math.max(...keys.map((key) => run.rewards[key]?.length ?? 0));
  const plan = {
    v: 1,
    vf: '0.1.0',
    run: { id: name, name: null },
    about: {
      taskset: 'sums',
      models: ['m'],
      harnesses: [{ id: 'codex', version: '1.0.0' }],
      runtimes: ['subprocess'],
      planned: { tasks: keys.length, attempts, rollouts: keys.length * attempts },
    },
    measured: { model: 'm', 'harness.id': 'codex', 'taskset.id': 'sums', ...run.measured },
    scorers: run.scorers ?? {
      rewards: { correct: { weight: 1, code: 'c0de' } },
      group_rewards: {},
    },
    tasks: Object.fromEntries(keys.map((key) => [key, hash(key)])),
    ...(run.images === undefined ? {} : { images: run.images }),
    attempts,
    created: run.created ?? null,
    parent: run.parent ?? null,
  };
  const writer = await RunWriter.create({ dir, runId: name, name: null, configToml: '', plan });
  for (const key of keys)
    for (const [i, reward] of (run.rewards[key] ?? []).entries())
      await writer.append(
        sampledBy(
          run.version,
          makeEpisode({
            task: { key, hash: hash(key) },
            attempt: i + 1,
            rewards: { correct: reward },
            id: `${name}-${key}-${i + 1}`,
          }),
        ),
      );
  await writer.close();
  rmSync(join(dir, 'traces.jsonl'));
  return dir;
}

function sampledBy(version: string | undefined, episode: Episode): Episode {
  if (version === undefined) return episode;
  for (const { calls } of episode.traces)
    for (const [at, call] of calls.entries())
      calls[at] = { ...call, weights: [{ version, start: 0, end: 1 }] };
  return episode;
}

const none: ReadonlySet<Allowed> = new Set();
const allow = (...what: Allowed[]): ReadonlySet<Allowed> => new Set(what);

test('paired by task, from plan and index alone', async () => {
  const a = await made('a', { rewards: { x: [1, 1], y: [0, 0], z: [1, 0], w: [1, null] } });
  const b = await made('b', {
    rewards: { x: [1, 1], y: [1, 1], z: [1], v: [1] },
    measured: { 'harness.id': 'claude-code', 'harness.options.effort': 'high', model: 'm' },
    attempts: 2,
  });
  const got = await compareRuns(a, b, none);
  expect(got.reward).toMatchObject({ difference: { tasks: 3 } });
  expect(got.reward.difference.mean).toBeCloseTo(0.5, 12);
  expect(got.rewards['correct']?.difference.mean).toBeCloseTo(0.5, 12);
  expect(got.metrics['turns']).toMatchObject({ a: 1, b: 1 });
  expect(got.flips).toEqual({
    aOnly: [],
    bOnly: [
      { task: 'y', a: 0, b: 1 },
      { task: 'z', a: 0.5, b: 1 },
    ],
  });
  expect(got.scoredOnlyIn).toEqual({ a: ['w'], b: ['v'] });
  expect(got.unscored).toEqual({ a: 1, b: 0 });
  expect(got.tasks).toEqual({ common: 3, changed: [], onlyA: ['w'], onlyB: ['v'] });
  expect(got.leading.map(({ path }) => path)).toEqual(['harness.id']);
  expect(got.differences.map(({ path }) => path)).toContain('harness.options.effort');
  expect(got.same).toEqual(['model', 'sampling', 'limits', 'taskset', 'scorers']);
  expect(got.b).toMatchObject({ run: 'b', played: 6, planned: 8 });
});

test('other weights of the same model are a difference, where both runs tell theirs', async () => {
  const run = { rewards: { x: [1] } };
  const before = await made('before', { ...run, version: 'default' });
  const after = await made('after', { ...run, version: 'step-1' });
  const got = await compareRuns(before, after, none);
  expect(got.leading).toEqual([{ path: 'model_weights', a: 'default', b: 'step-1' }]);
  expect(got.same).not.toContain('model_weights');
  expect((await compareRuns(after, after, none)).same).toContain('model_weights');
  const silent = await compareRuns(before, await made('silent', run), none);
  expect(silent.differences).toEqual([]);
  expect(silent.same).not.toContain('model_weights');
});

test('a run against itself differs in nothing', async () => {
  const a = await made('a', { rewards: { x: [1], y: [0] } });
  const got = await compareRuns(a, a, none);
  expect(got.differences).toEqual([]);
  expect(got.reward).toMatchObject({ difference: { mean: 0 }, p: 1 });
});

test('what people ask for first is named first', async () => {
  const rewards = { x: [1] };
  const a = await made('a', { rewards, measured: { 'sampling.temperature': 1, dialect: 'x' } });
  const b = await made('b', {
    rewards,
    measured: { dialect: 'y', 'limits.maxTurns': 5, 'sampling.temperature': 0, model: 'n' },
  });
  const { leading, same } = await compareRuns(a, b, none);
  expect(leading).toEqual([
    { path: 'model', a: 'm', b: 'n' },
    { path: 'sampling.temperature', a: 1, b: 0 },
    { path: 'limits.maxTurns', a: null, b: 5 },
    { path: 'dialect', a: 'x', b: 'y' },
  ]);
  expect(same).toEqual(['taskset', 'scorers']);
});

describe('images', () => {
  const rewards = { x: [1] };
  const withImages = (name: string, images: Readonly<Record<string, string | null>>) =>
    made(name, { rewards, images });

  test('that are others under one name are told', async () => {
    const a = await withImages('a', { 'debian:12': 'sha256:1', tools: 'sha256:5' });
    const b = await withImages('b', { 'debian:12': 'sha256:2', tools: 'sha256:5' });
    const { leading, same } = await compareRuns(a, b, none);
    expect(leading).toEqual([{ path: 'images.debian:12', a: 'sha256:1', b: 'sha256:2' }]);
    expect(same).not.toContain('images');
  });

  test('are the same only where all are known', async () => {
    const known = await withImages('known', { 'debian:12': 'sha256:1' });
    const unknown = await withImages('unknown', { 'debian:12': null });
    expect((await compareRuns(known, known, none)).same).toContain('images');
    const { differences, same } = await compareRuns(known, unknown, none);
    expect(differences).toEqual([]);
    expect(same).not.toContain('images');
  });
});

describe('tasks are matched by hash', () => {
  test('under another key too', async () => {
    const a = await made('a', {
      rewards: { one: [1], two: [0] },
      hashes: { one: 'h1', two: 'h2' },
    });
    const b = await made('b', {
      rewards: { '1': [0], '2': [0] },
      hashes: { '1': 'h1', '2': 'h2' },
    });
    const got = await compareRuns(a, b, none);
    expect(got.tasks).toMatchObject({ common: 2, changed: [] });
    expect(got.flips.aOnly).toEqual([{ task: 'one', a: 1, b: 0 }]);
  });

  test('keys that moved to other rows follow their rows', async () => {
    const a = await made('a', { rewards: { '1': [1], '2': [0] }, hashes: { '1': 'p', '2': 'q' } });
    const b = await made('b', { rewards: { '1': [0], '2': [1] }, hashes: { '1': 'q', '2': 'p' } });
    expect((await compareRuns(a, b, none)).reward.difference.mean).toBe(0);
  });

  test('rows that differ under one key are refused, and compared when that is allowed', async () => {
    const a = await made('a', { rewards: { x: [1], y: [1] } });
    const b = await made('b', { rewards: { x: [1], y: [0] }, hashes: { y: 'edited' } });
    await expect(compareRuns(a, b, none)).rejects.toMatchObject({
      code: 'usage/not_comparable',
      hint: 'vf compare a b --allow tasks',
      problems: [{ path: 'tasks', message: '1 of 2 have another content: y' }],
    });
    const got = await compareRuns(a, b, allow('tasks'));
    expect(got.reward.difference).toMatchObject({ mean: -0.5, tasks: 2 });
    expect(got.tasks).toMatchObject({ common: 1, changed: ['y'] });
  });

  test('without one in common there is nothing to compare', async () => {
    const a = await made('a', { rewards: { x: [1] } });
    const b = await made('b', { rewards: { y: [1] } });
    for (const what of [none, allow('tasks', 'scoring')])
      await expect(compareRuns(a, b, what)).rejects.toThrow('have no task in common');
  });
});

test('other scorers are refused, and compared when that is allowed', async () => {
  const rewards = { x: [1], y: [0] };
  const scorers = (code: string, weight = 1) => ({
    rewards: { correct: { weight, code } },
    group_rewards: {},
  });
  const a = await made('a', { rewards, scorers: scorers('old') });
  const b = await made('b', { rewards, scorers: scorers('new', 2) });
  await expect(compareRuns(a, b, none)).rejects.toMatchObject({
    code: 'usage/not_comparable',
    hint: 'vf rescore a and vf rescore b to score both alike, or vf compare a b --allow scoring',
    problems: [
      { path: 'scorers.rewards.correct.code', message: 'old → new' },
      { path: 'scorers.rewards.correct.weight', message: '1 → 2' },
    ],
  });
  expect((await compareRuns(a, b, allow('scoring'))).reward.difference.tasks).toBe(2);
});

test('of other scorers the older run is the one to rescore, and a rescored run is what it is', async () => {
  const rewards = { x: [1], y: [0] };
  const scored = (name: string, code: string, more: Partial<Made>) =>
    made(name, { rewards, scorers: { rewards: { correct: { weight: 1, code } } }, ...more });
  const old = await scored('old', '1', { created: '2026-01-02T00:00:00Z' });
  const now = await scored('now', '2', { created: '2026-01-03T00:00:00Z' });
  const hint = 'vf rescore old, the older one, to score both alike, or vf compare';
  await expect(compareRuns(old, now, none)).rejects.toMatchObject({
    hint: `${hint} old now --allow scoring`,
  });
  await expect(compareRuns(now, old, none)).rejects.toMatchObject({
    hint: `${hint} now old --allow scoring`,
  });
  const again = await scored('again', '2', { created: '2026-01-04T00:00:00Z', parent: 'old' });
  await expect(compareRuns(again, old, none)).rejects.toMatchObject({
    hint: 'vf compare again old --allow scoring',
  });
});

test('rollouts that were never played widen the worst case as unscored ones do', async () => {
  const rewards = { x: [1, 0], y: [0, 0], z: [1, 1] };
  const whole = await made('whole', { rewards });
  const part = await made('part', { rewards: { x: [1], y: [0], z: [1, 1] }, attempts: 2 });
  const unscored = await made('unscored', { rewards: { x: [1, null], y: [0, null], z: [1, 1] } });
  const worst = async (dir: string) => (await compareRuns(whole, dir, none)).worstCase;
  expect(await worst(part)).toEqual(await worst(unscored));
  expect(await worst(part)).not.toEqual(await worst(whole));
});

test('of several traces the chosen one counts, as in every other figure', async () => {
  const dir = await made('a', { rewards: { x: [1] } });
  const other = join(folder(), 'b');
  cpSync(dir, other, { recursive: true });
  const writer = await RunWriter.resume(other);
  const lost = makeTrace({ id: '1', rewards: { correct: 0 } });
  const won = makeTrace({ id: '2', rewards: { correct: 1 } });
  won.info['chosen'] = true;
  await writer.append(
    makeEpisode({ task: { key: 'x', hash: hashOf('x') }, fields: { traces: [lost, won] } }),
  );
  await writer.close();
  expect((await compareRuns(dir, other, none)).reward).toMatchObject({ a: 1, b: 1 });
});

test('a folder without its index, or without the scores of its groups, says what to copy', async () => {
  const a = await made('a', { rewards: { x: [1] } });
  const grouped = { rewards: {}, group_rewards: { best: { weight: 1, code: 'c' } } };
  const b = await made('b', { rewards: { x: [1] }, scorers: grouped });
  rmSync(join(b, 'groups.jsonl'));
  await expect(compareRuns(a, b, none)).rejects.toMatchObject({
    code: 'store/not_found',
    hint: 'copy groups.jsonl of the run beside its plan.json',
  });
  rmSync(join(a, 'traces.index.jsonl'));
  await expect(compareRuns(a, b, none)).rejects.toThrow('has no traces.index.jsonl');
});

test('a plan of before vf kept scorers is compared by the weights of its episodes', async () => {
  const a = await made('a', { rewards: { x: [1], y: [1] } });
  const path = join(a, 'plan.json');
  const [head = '', ...rest] = readFileSync(path, 'utf8').split('\n');
  const { scorers: _, ...plan } = JSON.parse(`{${rest.join('\n')}`) as Record<string, unknown>;
  writeFileSync(path, `${head}\n${JSON.stringify(plan, null, 2).slice(2)}\n`);
  const b = await made('b', { rewards: { x: [1], y: [0] } });
  const got = await compareRuns(a, b, none);
  expect(got.differences).toEqual([]);
  expect(got.reward.difference.mean).toBe(-0.5);
});

describe('the gate', () => {
  const difference = (interval: readonly [number, number] | null, mean: number | null) => ({
    reward: { difference: { mean, interval } },
  });
  type Given = Parameters<typeof dropGate>[0];
  test.each([
    ['wholly beyond', [-0.08, -0.03], -0.05, false, false],
    ['wholly beyond, strict', [-0.08, -0.03], -0.05, true, false],
    ['across', [-0.08, 0.01], -0.03, false, true],
    ['across, strict', [-0.08, 0.01], -0.03, true, false],
    ['wholly within', [-0.01, 0.05], 0.02, false, true],
    ['wholly within, strict', [-0.01, 0.05], 0.02, true, true],
    ['at the bound', [-0.02, -0.02], -0.02, true, true],
    ['no interval', null, -0.5, false, true],
    ['no interval, strict', null, 0, true, false],
    ['nothing scored in both', null, null, false, false],
  ] as const)('%s', (_, interval, mean, strict, passed) => {
    expect(dropGate(difference(interval, mean) as Given, 0.02, strict).passed).toBe(passed);
  });
});
