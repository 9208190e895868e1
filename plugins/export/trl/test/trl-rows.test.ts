import type { Trace } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';
import { expect, test } from 'vitest';
import { trlRows } from '../src/index.ts';
import type { TrlRow } from '../src/index.ts';

function rowsOf(nodes: readonly TokenNode[]): Promise<TrlRow[]> {
  const sampling = { temperature: 0.7, topP: 0.9 };
  const rewards = { correct: 1, tidy: 0.5 };
  return rowsOfTrace(makeTokenTrace({ nodes, rewards, agent: { sampling } }));
}

async function rowsOfTrace(trace: Trace): Promise<TrlRow[]> {
  const episode = { ...makeEpisode(), task: trace.task, traces: [trace] };
  async function* episodes() {
    yield await Promise.resolve(encodeEpisode(episode));
  }
  const omit = (): never => expect.fail('it trains');
  const rows: TrlRow[] = [];
  for await (const row of trlRows({ episodes: episodes(), omit })) rows.push(row);
  return rows;
}

test('one conversation is one completion; tokens of the environment carry no loss', async () => {
  const rows = await rowsOf([
    [null, 'u', 0, [1, 2, 3], '000'],
    [0, 'a', 1, [4, 5, 6], '011'],
    [1, 't', 0, [7, 8, 9], '000'],
    [2, 'a', 1, [4, 10, 6], '011'],
  ]);
  expect(rows).toEqual([
    {
      prompt_ids: [1, 2, 3, 4],
      completion_ids: [5, 6, 7, 8, 9, 4, 10, 6],
      env_mask: [1, 1, 0, 0, 0, 0, 1, 1],
      logprobs: [-0.5, -0.5, 0, 0, 0, 0, -0.5, -0.5],
      reward: 1.5,
      branch: 0,
      branches: 1,
      group: 'sum-1',
      task: 'sum-1',
      attempt: 1,
      episode: 'sum-1-1',
      trace: 'rollout-1',
      agent: 'agent',
      model: 'scripted',
      source_kind: 'captured',
      sampling: { temperature: 0.7, top_p: 0.9 },
      rewards: { correct: 1, tidy: 0.5 },
      is_truncated: false,
    },
  ]);
});

test('a row says which weights sampled it', async () => {
  const trace = makeTokenTrace({
    nodes: [
      [null, 'u', 0, [1, 2, 3], '000'],
      [0, 'a', 1, [4, 5, 6], '011'],
    ],
    rewards: { correct: 1 },
  });
  const spans = [
    { version: 'step-1', start: 0, end: 1 },
    { version: 'step-2', start: 1, end: 2 },
  ];
  const [call] = trace.calls;
  if (call !== undefined) trace.calls[0] = { ...call, weights: spans };
  const [row] = await rowsOfTrace(trace);
  expect(row?.weights).toEqual(['step-1', 'step-2']);
});

test('a reply under two continuations is in two rows and trains in the first', async () => {
  const rows = await rowsOf([
    [null, 'u', 0, [1], '0'],
    [0, 'a', 1, [2, 3, 4], '011'],
    [1, 'u', 0, [5], '0'],
    [2, 'a', 1, [2, 6], '01'],
    [1, 'u', 0, [7], '0'],
    [4, 'a', 1, [2, 8], '01'],
  ]);
  expect(
    rows.map(({ prompt_ids, completion_ids, env_mask, branch, branches, reward }) => ({
      prompt_ids,
      completion_ids,
      env_mask,
      branch: [branch, branches],
      reward,
    })),
  ).toEqual([
    {
      prompt_ids: [1, 2],
      completion_ids: [3, 4, 5, 2, 6],
      env_mask: [1, 1, 0, 0, 1],
      branch: [0, 2],
      reward: 1.5,
    },
    {
      prompt_ids: [1, 2, 3, 4, 7, 2],
      completion_ids: [8],
      env_mask: [1],
      branch: [1, 2],
      reward: 1.5,
    },
  ]);
});
