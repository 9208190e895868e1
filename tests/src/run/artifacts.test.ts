import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineTaskset } from '@vf/core';
import { say, startScriptedModel } from '@vf/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { play } from './play.ts';

async function model() {
  const scripted = await startScriptedModel({ script: () => say('done') });
  onTestFinished(() => scripted.close());
  return scripted;
}

test('files and folders that a row names are kept at their own paths, but for what it excludes', async () => {
  const taskset = defineTaskset({
    load: () => [
      {
        key: 'a',
        prompt: 'go',
        artifacts: ['report.txt', { source: 'out', exclude: ['**/*.tmp'] }, 'not-there'],
      },
    ],
    finalize: async ({ runtime }) => {
      await runtime.write('report.txt', 'fine');
      await runtime.write('out/deep/data.csv', '1,2');
      await runtime.write('out/scratch.tmp', 'x');
    },
    rewards: { one: () => 1 },
  });
  const { dir, episodes, trace } = await play({ taskset, model: await model() });
  const kept = join(dir, 'artifacts', episodes[0]?.id ?? '', trace('a').id);
  expect(readFileSync(join(kept, 'report.txt'), 'utf8')).toBe('fine');
  expect(readdirSync(join(kept, 'out'), { recursive: true }).map(String).toSorted()).toEqual([
    'deep',
    'deep/data.csv',
  ]);
  expect(trace('a').info['artifacts']).toEqual({
    kept: ['report.txt', 'out'],
    missing: ['not-there'],
  });
  expect(trace('a').reward).toBe(1);
});

test('one that is required and not there leaves the rollout unscored', async () => {
  const taskset = defineTaskset({
    load: () => [{ key: 'a', prompt: 'go', artifacts: [{ source: 'gone', required: true }] }],
    rewards: { one: () => 1 },
  });
  const { trace } = await play({ taskset, model: await model() });
  expect(trace('a').reward).toBeNull();
  expect(trace('a').errors[0]).toMatchObject({
    type: 'taskset/hook_failed',
    phase: 'finalize',
    message: 'the artifact gone is not in the box',
  });
});

test('one may have another place; the first at a place stays', async () => {
  const artifacts = [
    { source: 'report.txt', destination: 'inputs/first.txt' },
    { source: 'out', destination: 'inputs' },
    { source: 'out', destination: 'copy' },
    'copy/data.csv',
  ];
  const taskset = defineTaskset({
    load: () => [{ key: 'a', prompt: 'go', artifacts }],
    finalize: async ({ runtime }) => {
      await runtime.write('report.txt', 'fine');
      await runtime.write('out/data.csv', '1,2');
    },
    rewards: { one: () => 1 },
  });
  const { dir, episodes, trace } = await play({ taskset, model: await model() });
  const kept = join(dir, 'artifacts', episodes[0]?.id ?? '', trace('a').id);
  expect(readdirSync(kept, { recursive: true }).map(String).toSorted()).toEqual([
    'copy',
    'copy/data.csv',
    'inputs',
    'inputs/first.txt',
  ]);
  expect(trace('a').info['artifacts']).toEqual({
    kept: ['report.txt', 'out'],
    missing: [],
    skipped: ['out', 'copy/data.csv'],
  });
});
