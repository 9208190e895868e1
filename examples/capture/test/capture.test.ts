import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Episode } from '@vf/core';
import { readTrajectories } from '@vf/export-hessian';
import { episodes } from '@vf/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forms } from '../src/exports.ts';
import { rendered } from '../src/template.ts';

let folder = '';
let played: readonly Episode[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-capture-'));
  const main = resolve(import.meta.dirname, '../src/main.ts');
  await promisify(execFile)(process.execPath, ['--conditions=@vf/source', main, folder]);
  played = await Array.fromAsync(episodes(join(folder, 'calculator')));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const linesOf = async (file: string): Promise<Readonly<Record<string, unknown>>[]> =>
  (await readFile(join(folder, file), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('the run folder holds each rollout of the loop, scored', () => {
  const facts = played.map(({ task, attempt, traces: [trace] }) => [
    `${task.key}:${attempt}`,
    trace?.reward,
    trace?.turns,
    trace?.lastReply,
    trace?.branches.length,
  ]);
  expect(facts).toEqual([
    ['small:1', 1, 3, '17', 1],
    ['small:2', 0, 2, '18', 1],
    ['large:1', 1, 3, '400', 1],
    ['large:2', 0, 2, '401', 1],
  ]);
});

test('its exact tokens are those of each call', () => {
  for (const { traces } of played) {
    for (const trace of traces) {
      for (const { node } of trace.calls) {
        const path = trace.graph.pathTo(node ?? -1);
        const ids = path.flatMap((at) => [...(trace.graph.nodes[at]?.tokens?.ids ?? [])]);
        const messages = path.slice(0, -1).flatMap((at) => trace.graph.nodes[at]?.message ?? []);
        const { promptIds } = rendered(messages);
        expect(ids.slice(0, promptIds.length)).toEqual(promptIds);
      }
    }
  }
});

test('every form is there; those for trainers say that the data is made', async () => {
  expect(forms).toHaveLength(8);
  const [trl, verl, lightning, verifiers] = await Promise.all(
    ['trl.jsonl', 'verl.jsonl', 'agent-lightning.jsonl', 'verifiers.jsonl'].map(linesOf),
  );
  const four = <T>(each: T): T[] => Array.from({ length: 4 }, () => each);
  expect(trl).toMatchObject(four({ source_kind: 'fixture' }));
  expect(verl).toMatchObject(four({ extra_fields: { source_kind: 'fixture' } }));
  expect(lightning).toMatchObject(four({ metadata: { source_kind: 'fixture' } }));
  expect(verifiers).toMatchObject(four({ traces: [{ info: { source_kind: 'fixture' } }] }));
  const trajectories = await readTrajectories(join(folder, 'hessian.jsonl'));
  expect(
    trajectories.map(({ source_kind, seed, group_id }) => [source_kind, seed, group_id]),
  ).toEqual([
    ['fixture', 0, 'small'],
    ['fixture', 1, 'small'],
    ['fixture', 0, 'large'],
    ['fixture', 1, 'large'],
  ]);
});

test('tool results carry no loss', async () => {
  for (const { env_mask, completion_ids } of await linesOf('trl.jsonl')) {
    const mask = env_mask as readonly number[];
    const ids = completion_ids as readonly number[];
    const trained = Buffer.from(ids.filter((_, at) => mask[at] === 1)).toString();
    expect(trained).toMatch(/^multiply \{.*\}\n/);
    expect(trained).not.toContain('tool:');
  }
});
