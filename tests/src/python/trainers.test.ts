import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { EpisodeRecord, Export } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import agentLightning from '@vf/export-agent-lightning';
import trl from '@vf/export-trl';
import verl from '@vf/export-verl';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonOfTrainers, trainersBeside } from './trainers.ts';
import { findPython } from './venv.ts';

const run = promisify(execFile);
const python = await findPython();

interface Taken {
  readonly agent_lightning: readonly boolean[];
  readonly verl: readonly boolean[];
  readonly trl: {
    readonly keys: { readonly required: readonly string[]; readonly masks: readonly string[] };
    readonly rows: readonly (readonly string[])[];
  };
}

const conversations: readonly (readonly TokenNode[])[] = [
  [
    [null, 'u', 0, [1, 2, 3], '000'],
    [0, 'a', 1, [4, 5, 6], '011'],
    [1, 't', 0, [7, 8], '00'],
    [2, 'a', 1, [4, 9, 6], '011'],
  ],
  [
    [null, 'u', 0, [1], '0'],
    [0, 'a', 1, [2, 3, 4], '011'],
    [1, 'u', 0, [5], '0'],
    [2, 'a', 1, [2, 6], '01'],
    [1, 'u', 0, [7], '0'],
    [4, 'a', 1, [2, 8], '01'],
  ],
];

/** A conversation with a tool, one with two continuations, and one without logprobs; all say where they come from. */
function episodes(): EpisodeRecord[] {
  const hash = 'ab'.repeat(32);
  const origin = {
    engine: 'vllm',
    renderer: 'qwen3',
    retention: 'tool_cycle',
    tokenizerSha256: hash,
    templateSha256: null,
  };
  const weights = [{ version: 'step-3', start: 0, end: 2 }];
  return [...conversations, ...conversations.slice(0, 1)].map((nodes, at) => {
    const trace = makeTokenTrace({
      id: `trace-${at}`,
      nodes,
      rewards: { correct: at % 2, tidy: 0.5 },
      logprob: at === 2 ? null : -0.5,
      agent: { sampling: { temperature: 0.7, topP: 0.9, extra: { cache_salt: '3' } } },
    });
    const calls = trace.calls.splice(0).map((call) => ({ ...call, origin, weights }));
    trace.calls.push(...calls);
    const episode = makeEpisode({ id: `episode-${at}`, attempt: at + 1 });
    return encodeEpisode({ ...episode, task: trace.task, traces: [trace] });
  });
}

async function* each(records: readonly EpisodeRecord[]) {
  for (const record of records) yield await Promise.resolve(record);
}

describe.runIf(python !== null)('samples in the trainers’ own code', () => {
  let folder = '';
  let taken: Taken;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-trainers-'));
    const { signal } = new AbortController();
    const write = (exporter: Export, name: string): Promise<unknown> =>
      exporter.write({
        episodes: each(episodes()),
        path: join(folder, `${name}.jsonl`),
        config: {},
        signal,
        omit: () => undefined,
      });
    await write(agentLightning, 'agent-lightning');
    await write(verl, 'verl');
    await write(trl, 'trl');
    const peer = await pythonOfTrainers(python ?? '');
    const script = resolve(import.meta.dirname, '../../python/read_samples.py');
    const { stdout } = await run(peer, ['-B', script, folder, trainersBeside(peer)]);
    taken = JSON.parse(stdout) as Taken;
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('Agent Lightning 1.0.0 takes every rollout whole', () => {
    expect(taken.agent_lightning).toEqual([true, true, true]);
  });

  test('verl 0.9.1 takes every output whole', () => {
    expect(taken.verl).toEqual([true, true, true, true]);
  });

  test('TRL 1.16.0 finds all that its rollout_func must give, and the mask', () => {
    const { keys, rows } = taken.trl;
    expect(keys).toEqual({
      required: ['completion_ids', 'logprobs', 'prompt_ids'],
      masks: ['env_mask'],
    });
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toEqual(expect.arrayContaining([...keys.required, ...keys.masks]));
  });
});
