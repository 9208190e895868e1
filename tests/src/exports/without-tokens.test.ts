import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Episode, Export, Trace } from '@vf/core';
import agentLightning from '@vf/export-agent-lightning';
import hessian from '@vf/export-hessian';
import { exportEpisodes } from '@vf/export-kit';
import parquet from '@vf/export-parquet';
import trl from '@vf/export-trl';
import verl from '@vf/export-verl';
import { makeEpisode, makeTokenTrace, makeTrace } from '@vf/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

interface Form {
  readonly name: string;
  readonly exporter: Export;
  readonly config: Readonly<Record<string, unknown>>;
  readonly needsLogprobs: boolean;
}

const revision = '3f0c2a9d4e5b6c7d8e9f00112233445566778899';
const policy = {
  modelRevision: revision,
  tokenizerRevision: revision,
  harnessRevision: revision,
  harnessVersion: '1',
  scorerRevision: '1',
  chatTemplateSha256: '0f'.repeat(32),
  seed: 7,
};
const forms: readonly Form[] = [
  { name: 'trl', exporter: trl, config: {}, needsLogprobs: true },
  { name: 'verl', exporter: verl, config: {}, needsLogprobs: false },
  { name: 'agent-lightning', exporter: agentLightning, config: {}, needsLogprobs: false },
  { name: 'hessian', exporter: hessian, config: policy, needsLogprobs: true },
  { name: 'parquet', exporter: parquet, config: { rows: 'samples' }, needsLogprobs: false },
];

function episodeOf(trace: Trace, attempt: number): Episode {
  return {
    ...makeEpisode({ attempt }),
    id: `episode-${attempt}`,
    task: trace.task,
    traces: [trace],
  };
}

const task = { key: 'sum' };
const relayed = episodeOf(makeTrace({ id: 'relayed', task }), 1);
const nodes = [
  [null, 'u', 0, [1, 2], '00'],
  [0, 'a', 1, [3, 4], '01'],
] as const;
const half = episodeOf(
  makeTokenTrace({
    id: 'half',
    task,
    nodes: [...nodes, [1, 'u', 0, [], ''], [2, 'a', 1, [], '']],
  }),
  2,
);
const exact = episodeOf(makeTokenTrace({ id: 'exact', task, nodes }), 3);
const bare = episodeOf(makeTokenTrace({ id: 'bare', task, nodes, logprob: null }), 4);

async function* breaking(): AsyncGenerator<Episode, void> {
  yield await Promise.resolve(exact);
  throw new Error('the disk of the run is gone');
}

async function* stopped(stop: AbortController): AsyncGenerator<Episode, void> {
  yield await Promise.resolve(exact);
  stop.abort(new Error('enough'));
  yield exact;
}

describe.each(forms)('$name', ({ exporter, config, needsLogprobs }) => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-tokens-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('of traces without tokens alone: named with the reason, nothing written', async () => {
    const path = join(folder, 'out');
    await expect(exportEpisodes(exporter, [relayed, half], { path, config })).rejects.toMatchObject(
      {
        code: 'store/not_exportable',
        message: expect.stringContaining('replies have no token ids'),
        problems: [
          {
            path: 'sum:1',
            message: 'replies have no token ids (1 of 1, scripted gave text alone)',
          },
          {
            path: 'sum:2',
            message: 'replies have no token ids (1 of 2, scripted gave text alone)',
          },
        ],
      },
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('what was there stays when nothing is left', async () => {
    const path = join(folder, 'out');
    await writeFile(path, 'of yesterday');
    await expect(exportEpisodes(exporter, [relayed], { path, config })).rejects.toThrow('nothing');
    expect(await readFile(path, 'utf8')).toBe('of yesterday');
    expect(await readdir(folder)).toEqual(['out']);
  });

  test('of some: the others are whole, and each that is missing is named', async () => {
    const path = join(folder, 'out');
    const episodes = [relayed, exact, half, bare];
    const { written, omitted } = await exportEpisodes(exporter, episodes, { path, config });
    const missing = needsLogprobs ? ['relayed', 'half', 'bare'] : ['relayed', 'half'];
    expect(omitted.map(({ trace }) => trace)).toEqual(missing);
    expect(written).toBe(episodes.length - missing.length);
    expect(await readdir(folder)).toEqual(['out']);
  });

  test('a folder that is not there, a source that breaks and a stop leave nothing, by name', async () => {
    const nowhere = { path: join(folder, 'nowhere', 'out'), config };
    await expect(exportEpisodes(exporter, [exact], nowhere)).rejects.toMatchObject({
      code: 'store/not_writable',
    });
    const path = join(folder, 'out');
    await expect(exportEpisodes(exporter, breaking(), { path, config })).rejects.toMatchObject({
      code: 'plugin/failed',
      message: expect.stringContaining('the disk of the run is gone'),
    });
    const stop = new AbortController();
    const stopping = stopped(stop);
    const target = { path, config, signal: stop.signal };
    await expect(exportEpisodes(exporter, stopping, target)).rejects.toThrow('enough');
    expect(await readdir(folder)).toEqual([]);
  });

  test('options that do not fit are named before anything is written', async () => {
    const path = join(folder, 'out');
    const wrong = { ...config, rows: 'neither', modelRevision: 7 };
    const isStrict = exporter.config !== undefined;
    const result = exportEpisodes(exporter, [exact], { path, config: wrong }).then(
      () => 'written',
      (error: { code: string }) => error.code,
    );
    expect(await result).toBe(isStrict ? 'config/invalid' : 'written');
  });
});
