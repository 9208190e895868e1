import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTrace } from '@vf/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTable } from '../src/index.ts';
import type { Column, Row, TableKind } from '../src/index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function tableOf(
  episodes: readonly Episode[],
  kind: TableKind,
): Promise<{ columns: readonly Column[]; rows: Row[] }> {
  async function* records() {
    for (const episode of episodes) yield await Promise.resolve(encodeEpisode(episode));
  }
  const { signal } = new AbortController();
  const table = await withTable(records(), kind, join(folder, 'out'), signal, async (made) => {
    const rows: Row[] = [];
    for await (const row of made.rows()) rows.push(row);
    return { columns: made.columns, rows };
  });
  expect(await readdir(folder)).toEqual([]);
  return table;
}

test('a rollout without a score has no number at all', async () => {
  const trace = makeTrace({ rewards: { correct: null } });
  trace.errors.push({ type: 'scoring/hook_failed', message: 'no such file' });
  const { rows } = await tableOf(
    [makeEpisode(), { ...makeEpisode(), traces: [trace] }],
    'rollouts',
  );
  expect(rows).toMatchObject([
    { reward: 1, 'reward.correct': 1, ok: true, error: null },
    { reward: null, 'reward.correct': null, ok: false, error: 'scoring/hook_failed' },
  ]);
});

test('a failed episode leaves no reward, and an unknown price no cost', async () => {
  const errors = [{ type: 'worker/lost', message: 'gone' }];
  const { rows } = await tableOf([{ ...makeEpisode(), errors, ok: false }], 'rollouts');
  expect(rows).toMatchObject([{ reward: null, cost: null, ok: false, error: 'worker/lost' }]);
});

test('rewards and metrics of any episode are columns, in the order of their names', async () => {
  const first = makeTrace({ rewards: { zeal: 1 } });
  const second = makeTrace({ rewards: { care: 0.5 } });
  second.metrics['words'] = 12;
  const { columns, rows } = await tableOf(
    [
      { ...makeEpisode(), traces: [first] },
      { ...makeEpisode(), traces: [second] },
    ],
    'rollouts',
  );
  expect(columns.slice(-3).map(({ name }) => name)).toEqual([
    'metric.words',
    'reward.care',
    'reward.zeal',
  ]);
  expect(rows.map((row) => [row['metric.words'], row['reward.care'], row['reward.zeal']])).toEqual([
    [undefined, undefined, 1],
    [12, 0.5, undefined],
  ]);
});

test('a row for each reply, with the call that made it', async () => {
  const turns = [
    {
      prompt: [{ role: 'user' as const, content: 'list' }],
      reply: {
        role: 'assistant' as const,
        content: null,
        reasoning: 'look first',
        toolCalls: [{ id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }],
      },
    },
    {
      prompt: [{ role: 'tool' as const, toolCallId: 'c1', content: 'notes.txt' }],
      reply: { role: 'assistant' as const, content: 'one file' },
    },
  ];
  const { rows } = await tableOf([{ ...makeEpisode(), traces: [makeTrace({ turns })] }], 'turns');
  expect(rows).toMatchObject([
    {
      turn: 1,
      node: 1,
      parent: 0,
      tools: 'bash',
      text: null,
      reasoning: 'look first',
      finish: 'tool_calls',
      input_tokens: 10,
    },
    {
      turn: 2,
      node: 3,
      parent: 2,
      tools: null,
      text: 'one file',
      sampled_tokens: null,
      seconds: 1,
    },
  ]);
});
