import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTrace } from '@vf/testkit';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import exporter from '../src/index.ts';

async function csvOf(episodes: readonly Episode[], rows: 'rollouts' | 'turns'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-csv-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  async function* records() {
    for (const episode of episodes) yield await Promise.resolve(encodeEpisode(episode));
  }
  const path = join(folder, 'out.csv');
  const { signal } = new AbortController();
  const omit = (): never => expect.fail('a table leaves nothing out');
  await exporter.write({ episodes: records(), path, config: { rows }, signal, omit });
  return readFile(path, 'utf8');
}

/** A reader written from RFC 4180 alone. null: an empty field without quotes. */
function parse(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, quoted, bare, end] = match;
    record.push(quoted?.replaceAll('""', '"') ?? (bare === '' ? null : (bare ?? null)));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  expect(records.join('\n').length).toBeGreaterThan(0);
  return records;
}

async function tableOf(
  episodes: readonly Episode[],
  rows: 'rollouts' | 'turns' = 'rollouts',
): Promise<Record<string, string | null>[]> {
  const [head = [], ...records] = parse(await csvOf(episodes, rows));
  return records.map((record) => {
    expect(record).toHaveLength(head.length);
    return Object.fromEntries(head.map((name, at) => [name ?? '', record[at] ?? null]));
  });
}

function asked(prompt: string): Episode {
  const trace = makeTrace({ task: { data: { prompt } } });
  return { ...makeEpisode(), task: trace.task, traces: [trace] };
}

test('any text comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), async (texts) => {
      const table = await tableOf(texts.map(asked));
      expect(table.map(({ prompt }) => prompt)).toEqual(texts);
    }),
    { numRuns: 30 },
  );
});

test('unknown is an empty field; 0 is 0', async () => {
  const zero = makeTrace({ rewards: { correct: 0 } });
  const unscored = makeTrace({ rewards: { correct: null } });
  const episodes = [zero, unscored].map((trace) => ({ ...makeEpisode(), traces: [trace] }));
  expect(await tableOf(episodes)).toMatchObject([
    { reward: '0', 'reward.correct': '0', cost: null },
    { reward: null, 'reward.correct': null, cost: null },
  ]);
});

test('an empty run has its header', async () => {
  const text = await csvOf([], 'turns');
  expect(text).toMatch(/^episode,trace,task,.*\r\n$/);
});
