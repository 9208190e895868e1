import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunWriter, episodes, readIndex } from '../src/index.ts';
import type { GroupRecord } from '../src/index.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

function groupOf(scores: readonly (number | null)[]): GroupRecord {
  return { task: 'a', attempts: [1, 2], rewards: { best: { weight: 2, scores } } };
}

async function rewardsOf(dir: string): Promise<(number | null)[]> {
  return (await readIndex(dir)).map(({ reward }) => reward);
}

test('scores of a group are in its members’ rewards, the last ones given', async () => {
  const writer = await newRun(outputFolder());
  await writer.append(episodeOf('a', 1));
  await writer.append(episodeOf('a', 2, { rewards: { correct: 0 } }));
  await writer.append(episodeOf('b', 1));
  await writer.appendGroup(groupOf([0, 0]));
  await writer.appendGroup(groupOf([1, 0.5]));
  expect(await rewardsOf(writer.dir)).toEqual([3, 1, 1]);
  expect((await readIndex(writer.dir))[1]).toMatchObject({
    rewards: { correct: 0, best: 0.5 },
    weights: { correct: 1, best: 2 },
  });
  const rewards: unknown[] = [];
  for await (const { traces } of episodes(writer.dir)) rewards.push(traces[0]?.reward);
  expect(rewards).toEqual([3, 1, 1]);
});

test('scores of a group do not count once a member was played again', async () => {
  const writer = await newRun(outputFolder());
  await writer.append(episodeOf('a', 1));
  await writer.append(episodeOf('a', 2));
  await writer.appendGroup(groupOf([1, 1]));
  await writer.append(episodeOf('a', 2, { rewards: { correct: 0 } }));
  expect(await rewardsOf(writer.dir)).toEqual([1, 0]);
  await writer.appendGroup(groupOf([0, 1]));
  expect(await rewardsOf(writer.dir)).toEqual([1, 2]);
});

test('a torn last line of groups is cut by a resume', async () => {
  const writer = await newRun(outputFolder());
  await writer.append(episodeOf('a', 1));
  await writer.append(episodeOf('a', 2));
  await writer.appendGroup(groupOf([1, 1]));
  await writer.close();
  const path = join(writer.dir, 'groups.jsonl');
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, whole.slice(0, 30));
  expect(await rewardsOf(writer.dir)).toEqual([3, 3]);
  await (await RunWriter.resume(writer.dir)).close();
  expect(readFileSync(path, 'utf8')).toBe(whole);
});
