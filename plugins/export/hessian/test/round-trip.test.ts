import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode, Omission, Trace } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../src/config.ts';
import {
  readTrajectories,
  trajectories,
  validateTrajectory,
  writeTrajectories,
} from '../src/index.ts';
import type { Trajectory } from '../src/index.ts';
import { example } from './example.ts';
import { settings } from './settings.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-hessian-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const nodes: readonly TokenNode[] = [
  [null, 'u', 0, [1, 2, 3], '000'],
  [0, 'a', 1, [4, 5, 6], '011'],
  [1, 't', 0, [7, 8, 9], '000'],
  [2, 'a', 1, [4, 10, 6], '011'],
];

async function exported(traces: readonly Trace[], config: Config = settings) {
  const omissions: Omission[] = [];
  async function* episodes() {
    for (const trace of traces) {
      const episode: Episode = { ...makeEpisode(), task: trace.task, traces: [trace] };
      yield await Promise.resolve(encodeEpisode(episode));
    }
  }
  const records: Trajectory[] = [];
  const omit = (omission: Omission): void => void omissions.push(omission);
  for await (const record of trajectories({ episodes: episodes(), config, omit }))
    records.push(record);
  return { records, omitted: omissions.map(({ reason, detail = '' }) => [reason, detail]) };
}

test('each call holds its own prompt, in the order of inference', async () => {
  const { records } = await exported([makeTokenTrace({ nodes })]);
  expect(records).toMatchObject([
    {
      episode_id: 'rollout-1',
      task_id: 'sum-1',
      group_id: 'sum-1',
      seed: 7,
      reward: { value: 1, scorer: 'exact', scorer_revision: '1' },
      calls: [
        {
          call_id: 'n1',
          prompt_token_ids: [1, 2, 3, 4],
          response_token_ids: [5, 6],
          response_loss_mask: [1, 1],
          behavior_logprobs: [-0.5, -0.5],
          context: [{ role: 'user', content: 'message 0' }],
        },
        {
          call_id: 'n3',
          prompt_token_ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 4],
          response_token_ids: [10, 6],
          context: [
            { role: 'user' },
            { role: 'assistant' },
            { role: 'tool', content: 'message 2' },
          ],
        },
      ],
    },
  ]);
});

test('what is written is read as it was', async () => {
  const path = join(folder, 'whole.jsonl');
  const { records } = await exported([
    makeTokenTrace({ id: 'a', nodes }),
    makeTokenTrace({ id: 'b', nodes, rewards: { correct: 0 } }),
  ]);
  expect(await writeTrajectories(path, records)).toBe(2);
  expect(await readTrajectories(path)).toEqual(records);
});

test('a batch with one bad record leaves the old file as it was', async () => {
  const path = join(folder, 'kept.jsonl');
  await writeFile(path, 'old');
  const sound = validateTrajectory(example());
  const bad = { ...sound, episode_id: 'e2', seed: -1 };
  await expect(writeTrajectories(path, [sound, bad])).rejects.toMatchObject({
    code: 'config/invalid',
    problems: [{ path: '[1] seed' }],
  });
  await expect(writeTrajectories(path, [sound, sound])).rejects.toThrow('break hessian');
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('one record by itself is held against the contract', () => {
  expect(() => validateTrajectory({ ...example(), seed: 1.5 })).toThrow('breaks hessian');
});

test('the seed is the one of the sampling, else the given one, never made up', async () => {
  const seeded = makeTokenTrace({ nodes, agent: { sampling: { seed: 11 } } });
  expect((await exported([seeded])).records).toMatchObject([{ seed: 11 }]);
  const { seed: _, ...unseeded } = settings;
  const { records, omitted } = await exported([makeTokenTrace({ nodes })], unseeded);
  expect(records).toEqual([]);
  expect(omitted).toEqual([['it has no seed', 'give --export.seed']]);
});

test('a revision that moves is told for what it is', async () => {
  const config = { ...settings, modelRevision: 'main' };
  const { omitted } = await exported([makeTokenTrace({ nodes })], config);
  expect(omitted).toMatchObject([
    [
      'it breaks the contract',
      expect.stringContaining('policy.revision "main" is a name that moves'),
    ],
  ]);
});

test('two models in one episode, and a group of two versions, are left out', async () => {
  const mixed = makeTokenTrace({ nodes });
  mixed.calls.splice(1, 1, { ...secondCall(mixed), model: 'other' });
  expect((await exported([mixed])).omitted).toEqual([
    ['several models answered', 'scripted, other'],
  ]);
  const { harnessVersion: _, ...fromTrace } = settings;
  const versions = ['1.0.0', '1.1.0'].map((version) =>
    makeTokenTrace({ id: version, nodes, agent: { harness: { id: 'pi', version, config: {} } } }),
  );
  const { records, omitted } = await exported(versions, fromTrace);
  expect(records).toHaveLength(1);
  expect(omitted[0]?.[1]).toContain('harness.version is "1.1.0", in group "sum-1" it was "1.0.0"');
});

function secondCall({ calls }: Trace): Trace['calls'][number] {
  const [, second] = calls;
  if (second === undefined) throw new Error('the trace has no second call');
  return second;
}

test('weights that changed in mid-episode are no single policy', async () => {
  const updated = makeTokenTrace({ nodes });
  const spans = (version: string) => ({ weights: [{ version, start: 0, end: 2 }] });
  updated.calls.splice(0, 2, ...updated.calls.map((call, at) => ({ ...call, ...spans(`v${at}`) })));
  expect((await exported([updated])).omitted).toEqual([
    ['several versions of the weights sampled it', 'v0, v1'],
  ]);
  const same = makeTokenTrace({ nodes });
  same.calls.splice(0, 2, ...same.calls.map((call) => ({ ...call, ...spans('v1') })));
  expect((await exported([same])).records).toHaveLength(1);
});

test('made data says so, and is never written as captured [capture/source]', async () => {
  const { sourceKind: _, ...unsaid } = settings;
  const made = makeTokenTrace({ nodes });
  made.info['source_kind'] = 'fixture';
  const real = makeTokenTrace({ id: 'real', nodes });
  const { records } = await exported([made, real], unsaid);
  expect(records.map((record) => record.source_kind)).toEqual(['fixture', 'captured']);
  const { omitted } = await exported([made], { ...unsaid, sourceKind: 'captured' });
  expect(omitted).toEqual([['it is made data', 'leave out --export.source-kind']]);
});

test('images and refused content are left out', async () => {
  const refused = makeTokenTrace({ nodes });
  refused.calls.splice(1, 1, {
    ...secondCall(refused),
    finish: 'content_filter',
    rawFinish: 'safety',
  });
  expect((await exported([refused])).omitted).toEqual([
    ['a reply has no finish reason of the contract', 'node 3: safety'],
  ]);
  const seen = makeTokenTrace({ nodes: [] });
  seen.graph.restore({
    parent: null,
    message: { role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AA==' }] },
    sampled: false,
    timestamp: 1,
  });
  const reply = makeTokenTrace({ nodes: [[null, 'a', 1, [1, 2], '01']] }).graph.nodes[0];
  if (reply !== undefined) seen.graph.restore({ ...reply, parent: 0 });
  expect((await exported([seen])).omitted).toEqual([['its messages hold more than text', '']]);
});

test('revisions of tokenizer and template come from the trace where they are not given [record/origins]', async () => {
  const { tokenizerRevision: _t, chatTemplateSha256: _c, ...config } = settings;
  const origin = {
    engine: 'vllm',
    renderer: 'qwen3',
    retention: 'tool_cycle',
    tokenizerSha256: 'ab'.repeat(32),
    templateSha256: 'cd'.repeat(32),
  };
  const made = (...origins: readonly (Partial<typeof origin> | null)[]): Trace => {
    const trace = makeTokenTrace({ nodes });
    for (const [at, changed] of origins.entries()) {
      const call = trace.calls[at];
      if (call !== undefined && changed !== null)
        trace.calls[at] = { ...call, origin: { ...origin, ...changed } };
    }
    return trace;
  };
  const { records } = await exported([made({}, {})], config);
  expect(records[0]?.policy).toMatchObject({
    tokenizer_revision: 'ab'.repeat(32),
    chat_template_sha256: 'cd'.repeat(32),
  });
  expect((await exported([made({}, {})])).records[0]?.policy).toMatchObject({
    tokenizer_revision: settings.tokenizerRevision,
    chat_template_sha256: settings.chatTemplateSha256,
  });
  const mixed = await exported(
    [made({}, { engine: 'sglang' }), made(null, null), made({}, null)],
    config,
  );
  expect(mixed.records).toEqual([]);
  expect(mixed.omitted).toEqual([
    ['several engines, tokenizers or templates made its tokens', 'vllm qwen3, sglang qwen3'],
    ['its tokenizer is not known', 'give --export.tokenizer-revision'],
    // What made one of its calls says nothing of the other.
    ['its tokenizer is not known', 'give --export.tokenizer-revision'],
  ]);
});
