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

test('a hook keeps files whenever it likes, over what is kept there', async () => {
  const taskset = defineTaskset({
    load: () => [{ key: 'a', prompt: 'go', artifacts: ['out', 'late.txt'] }],
    finalize: ({ runtime }) => runtime.write('out/a.txt', 'before'),
    rewards: {
      one: async ({ runtime, keep }) => {
        await runtime.write('out/a.txt', 'after');
        await runtime.write('out/b.txt', 'added');
        await runtime.write('late.txt', 'late');
        await keep(['out', 'late.txt', { source: 'late.txt', destination: 'copy.txt' }, 'never']);
        return 1;
      },
    },
  });
  const { dir, episodes, trace } = await play({ taskset, model: await model() });
  const kept = join(dir, 'artifacts', episodes[0]?.id ?? '', trace('a').id);
  const read = (file: string): string => readFileSync(join(kept, file), 'utf8');
  expect(['out/a.txt', 'out/b.txt', 'late.txt', 'copy.txt'].map(read)).toEqual([
    'after',
    'added',
    'late',
    'late',
  ]);
  expect(readdirSync(kept).toSorted()).toEqual(['copy.txt', 'late.txt', 'out']);
  expect(trace('a').info['artifacts']).toEqual({ kept: ['out', 'late.txt'], missing: ['never'] });
});

test('a secret that a hook wrote to `info` is masked', async () => {
  const taskset = defineTaskset({
    load: () => [{ key: 'a', prompt: 'go' }],
    rewards: {
      one: ({ trace, secret }) => {
        trace.info['mine'] = { said: [`token ${secret('GRADER_TOKEN')}`], count: 2 };
        return 1;
      },
    },
  });
  const env = { GRADER_TOKEN: 'very-secret-1' };
  const { trace } = await play({ taskset, model: await model(), env });
  expect(trace('a').info['mine']).toEqual({ said: ['token «GRADER_TOKEN»'], count: 2 });
});
