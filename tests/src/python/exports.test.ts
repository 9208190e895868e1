import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { EpisodeRecord, Export } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import atif from '@vf/export-atif';
import csv from '@vf/export-csv';
import parquet from '@vf/export-parquet';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import { sampleEpisodes } from '@vf/testkit/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../docs/page.ts';
import { harborBeside, pythonOfNotebooks } from './notebook.ts';
import { findPython } from './venv.ts';

const run = promisify(execFile);
const python = await findPython();

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** What the programs of notebooks read in our exports. */
interface Read {
  readonly csv: Tables;
  readonly pandas: Tables;
  readonly pyarrow: Tables;
  readonly duckdb: Tables;
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly atif: readonly {
    readonly id: string;
    readonly steps: number;
    readonly inside: readonly string[];
    readonly same: boolean;
  }[];
}

async function* each(records: readonly EpisodeRecord[]) {
  for (const record of records) yield await Promise.resolve(record);
}

async function write(
  exporter: Export,
  path: string,
  config: object,
  records = sampleEpisodes(),
): Promise<void> {
  const { signal } = new AbortController();
  await exporter.write({ episodes: each(records), path, config, signal, omit: () => undefined });
}

/** Three attempts at one task: wrong, right, and right but cut off. */
function group(): EpisodeRecord[] {
  return [1, 2, 3].map((attempt) => {
    const trace = makeTokenTrace({
      id: `tokens-${attempt}`,
      task: { key: 'tokens' },
      rewards: { correct: Math.min(1, attempt - 1) },
      agent: { sampling: attempt === 1 ? { temperature: 0.7, topP: 0.9 } : {} },
      nodes: [
        [null, 'u', 0, [1, 2, 3], '000'],
        [0, 'a', 1, [4, 5, 6], '011'],
      ],
    });
    const [call] = trace.calls.splice(0);
    if (call === undefined) throw new Error('it has no call');
    const origin = {
      engine: 'vllm',
      renderer: 'qwen3',
      retention: 'tool_cycle',
      tokenizerSha256: 'ab'.repeat(32),
      templateSha256: null,
    };
    const weights = ['step-3', 'step-4'].map((version, at) => ({
      version,
      start: at,
      end: at + 1,
    }));
    trace.calls.push({
      ...call,
      ...(attempt === 1 ? { weights, origin } : {}),
      finish: attempt === 3 ? 'length' : 'stop',
    });
    return encodeEpisode({ ...makeEpisode({ attempt }), task: trace.task, traces: [trace] });
  });
}

describe.runIf(python !== null)('exports in a notebook', () => {
  let folder = '';
  let read: Read;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-notebook-'));
    for (const rows of ['rollouts', 'turns', 'samples']) {
      await write(parquet, join(folder, `${rows}.parquet`), { rows });
      if (rows !== 'samples') await write(csv, join(folder, `${rows}.csv`), { rows });
    }
    await write(parquet, join(folder, 'group.parquet'), { rows: 'samples' }, group());
    await write(atif, join(folder, 'atif'), { tokens: true });
    const peer = await pythonOfNotebooks(python ?? '');
    const script = resolve(import.meta.dirname, '../../python/read_exports.py');
    const { stdout } = await run(peer, [script, folder, harborBeside(peer)], {
      maxBuffer: 1 << 26,
    });
    read = JSON.parse(stdout) as Read;
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const awkward = 'é 😀 "quoted", \\ comma\r\nnext\u2028line\u0000 =1+1 <|im_end|>';

  test('three readers of Parquet agree', () => {
    for (const table of ['rollouts', 'turns', 'samples']) {
      expect(read.duckdb[table]).toEqual(read.pyarrow[table]);
      expect(read.pandas[table]).toEqual(read.pyarrow[table]);
    }
  });

  test('a rollout is a row; what is not scored is null', () => {
    const rows = read.pyarrow['rollouts'] ?? [];
    expect(rows.map(({ trace, reward, ok }) => [trace, reward, ok])).toEqual([
      ['rollout-1', 1, true],
      ['awkward', 0.5, true],
      ['unscored', null, false],
      ['failed', null, false],
      ['two-solver', 1, true],
      ['two-judge', 1, true],
      ['tokens-1', 0, true],
      ['tokens-2', 1, true],
      ['branched', 1, true],
    ]);
    expect(rows[1]).toMatchObject({ task: awkward, prompt: awkward, answer: awkward });
    expect(rows[1]).toMatchObject({ 'reward.né, "at"': 0.5 });
    expect(read.types['rollouts']).toMatchObject({
      trace: 'string',
      attempt: 'int64',
      ok: 'bool',
      reward: 'double',
    });
  });

  test('CSV says the same as Parquet, but for empty texts', () => {
    for (const table of ['rollouts', 'turns'])
      expect(read.csv[table]).toEqual(
        read.pandas[table]?.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [key, value === '' ? null : value]),
          ),
        ),
      );
  });

  test('a training sample has its lists', () => {
    expect(read.types['samples']).toMatchObject({
      response_ids: 'list<element: int32 not null>',
      logprobs: 'list<element: double not null>',
    });
    expect(read.pyarrow['samples']?.[0]).toMatchObject({
      trace: 'tokens-1',
      reward: 0,
      prompt_ids: [1, 2, 3, 4],
      response_ids: [5, 6, 7, 8, 9, 4, 10, 6],
      response_mask: [1, 1, 0, 0, 0, 0, 1, 1],
      logprobs: [-0.5, -0.5, 0, 0, 0, 0, -0.5, -0.5],
      advantages: null,
    });
  });

  test('a training sample alone says its group, what it was sampled with, and whether it is whole', () => {
    expect(read.types['samples']).toMatchObject({
      weights: 'list<element: string not null>',
      is_truncated: 'bool',
      temperature: 'double',
    });
    expect(read.pyarrow['group']).toMatchObject([
      {
        group: 'tokens',
        attempt: 1,
        trace: 'tokens-1',
        branch: 0,
        branches: 1,
        weights: ['step-3', 'step-4'],
        engine: 'vllm',
        renderer: 'qwen3',
        retention: 'tool_cycle',
        tokenizer_sha256: 'ab'.repeat(32),
        template_sha256: null,
        origins: expect.stringContaining('"tokenizer_sha256":"abab') as string,
        rewards: '{"correct":0}',
        is_truncated: false,
        stop: 'agent_completed',
        temperature: 0.7,
        sampling: '{"temperature":0.7,"top_p":0.9}',
      },
      {
        group: 'tokens',
        attempt: 2,
        is_truncated: false,
        weights: null,
        tokenizer_sha256: null,
        temperature: null,
      },
      { group: 'tokens', attempt: 3, is_truncated: true },
    ]);
    expect(read.duckdb['group']).toEqual(read.pyarrow['group']);
  });

  test('exporting.md: advantages of a group, from the samples alone', async () => {
    const code = readPage('exporting.md').files.get('grpo.py') ?? '';
    await writeFile(join(folder, 'grpo.py'), code.replace('samples.parquet', 'group.parquet'));
    const peer = await pythonOfNotebooks(python ?? '');
    const { stdout } = await run(peer, ['grpo.py'], { cwd: folder });
    expect(stdout.match(/-?\d\.\d+$/gm)).toEqual(['-0.5', '0.5']);
  });

  test('Harbor’s own models take every trajectory as it is', () => {
    expect(read.atif.map(({ same }) => same)).not.toContain(false);
    expect(read.atif.map(({ id }) => id).toSorted()).toEqual([
      'awkward',
      'branched',
      'rollout-1',
      'tokens-1',
      'tokens-2',
      'two-judge',
      'two-solver',
      'unscored',
    ]);
    expect(read.atif.find(({ id }) => id === 'branched')).toMatchObject({
      steps: 4,
      inside: ['branched/branch-1'],
    });
  });
});
