import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from '@vf/core';
import type { Episode, ModelRequest } from '@vf/core';
import { storeEpisodes } from '@vf/run';
import { episodes, findRun, listRuns, readIndex } from '@vf/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typed } from '../docs/typed-line.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-captured-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function rollout(key: string, attempt: number): Promise<Episode> {
  const { model, reward, finish } = capture(
    async ({ messages }: ModelRequest) => ({
      message: { role: 'assistant' as const, content: String(messages.length) },
      finish: 'stop' as const,
      usage: { inputTokens: 3, outputTokens: 1 },
    }),
    {
      task: { type: 'sums', key, data: { prompt: key } },
      agent: { model: 'made', harness: { id: 'loop', version: '2' } },
      attempt,
    },
  );
  await model({ messages: [{ role: 'user', content: key }] });
  reward('exact', attempt - 1);
  return finish();
}

async function* rollouts(): AsyncGenerator<Episode, void> {
  for (const attempt of [1, 2]) yield rollout('one', attempt);
  yield rollout('two', 1);
}

async function* broken(): AsyncGenerator<Episode, void> {
  yield rollout('one', 1);
  throw new Error('the loop is broken');
}

async function* failing(): AsyncGenerator<Episode, void> {
  const { finish } = capture(
    async () => ({ message: { role: 'assistant' as const, content: '' } }),
    {
      task: { type: 'sums', key: 'one', data: { prompt: 'one' } },
      agent: { model: 'made', harness: { id: 'loop', version: '2' } },
    },
  );
  yield finish({ error: new TypeError('no such field') });
}

test('captured episodes are a run like any other [capture/run]', async () => {
  const summary = await storeEpisodes(join(folder, 'mine'), rollouts());
  expect(summary).toMatchObject({
    run: 'mine',
    status: 'complete',
    taskset: 'sums',
    models: ['made'],
    harnesses: [{ id: 'loop', version: '2' }],
    planned: { tasks: 2, attempts: 2, rollouts: 3 },
    inputTokens: 9,
    figures: { scored: 3, unscored: 0 },
  });
  const dir = await findRun(folder, 'mine');
  expect((await listRuns(folder)).map(({ name, status }) => [name, status])).toEqual([
    ['mine', 'complete'],
  ]);
  expect(
    (await readIndex(dir)).map(({ task, attempt, reward }) => [task, attempt, reward]),
  ).toEqual([
    ['one', 1, 0],
    ['one', 2, 1],
    ['two', 1, 0],
  ]);
  const hashes = (await Array.fromAsync(episodes(dir))).map(({ task, traces }) => [
    task.hash,
    traces[0]?.task.hash,
  ]);
  expect(hashes[0]?.[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(hashes[0]).toEqual(hashes[1]);
  expect(hashes[0]?.[0]).toBe(hashes[0]?.[1]);
  expect(hashes[2]).not.toEqual(hashes[0]);
});

test.each([
  ['vf show mine', /sums · made · loop 2/],
  ['vf show mine one:2', /reward +1\.000/],
  ['vf export mine --to csv -o out.csv', /3 rollouts of 3 episodes/],
  ['vf compare mine mine', /2 tasks \(by hash\)/],
])('%s [capture/run]', async (line, words) => {
  const { code, output } = await typed(line, folder, '', { VF_OUTPUT_DIR: folder });
  expect(output).toMatch(words);
  expect(code).toBe(0);
});

test('what failed in a loop of its own is mended there: no command of vf plays it [capture/run]', async () => {
  const at = 'of-its-own';
  await storeEpisodes(join(folder, at), failing());
  const env = { VF_OUTPUT_DIR: folder };
  const errors = await typed(`vf show ${at} --errors`, folder, '', env);
  expect(errors.output).toMatch(/harness\/failed +in agent +at .*captured\.test\.ts:\d+/);
  expect(errors.output).toContain('in the program that played it');
  expect((await typed(`vf show ${at}`, folder, '', env)).output).not.toContain('vf resume');
  const exported = await typed(`vf export ${at} --to trl -o out.jsonl`, folder, '', env);
  expect(exported.output).not.toContain('vf resume');
});

/** Runs of a loop of its own: one that came to its end, and one that broke off. */
const ofItsOwn: readonly (readonly [what: string, at: string, played: typeof rollouts])[] = [
  ['whole', 'to-its-end', failing],
  ['that broke off', 'broken-off', broken],
];

test.each(ofItsOwn)(
  'a captured run %s is refused by what would go on with it [capture/run]',
  async (_what, at, played) => {
    await storeEpisodes(join(folder, at), played()).catch(() => undefined);
    const env = { VF_OUTPUT_DIR: folder };
    const taskset = join(import.meta.dirname, '../../../examples/addition/addition.ts');
    const resumed = `vf eval ${taskset} -m m --run ${at} --resume`;
    const scored = [`vf rescore ${at}`, `vf rescore ${at} --taskset.id ${taskset}`];
    for (const line of [`vf resume ${at}`, resumed, ...scored]) {
      const { code, output } = await typed(line, folder, 'http://127.0.0.1:1', env);
      expect(output).toContain(`${at} was played by a program of its own, not by vf`);
      expect(code).toBe(2);
    }
  },
);

test('a loop that throws leaves the rollouts before it [capture/run]', async () => {
  const dir = join(folder, 'broken');
  await expect(storeEpisodes(dir, broken())).rejects.toThrow('the loop is broken');
  expect((await readIndex(dir)).map(({ task }) => task)).toEqual(['one']);
});

test.each([
  ['of another run', async (dir: string) => void (await storeEpisodes(dir, rollouts()))],
  ['that holds something else', (dir: string) => cp(import.meta.filename, join(dir, 'notes.ts'))],
  ['that is a file', (dir: string) => cp(import.meta.filename, dir)],
])('a folder %s is refused before anything is played [capture/run]', async (what, make) => {
  const dir = join(folder, what);
  await make(dir);
  let asked = 0;
  async function* counted(): AsyncGenerator<Episode, void> {
    asked++;
    yield rollout('one', 1);
  }
  const refused: unknown = await storeEpisodes(dir, counted()).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'store/exists',
    message: `${dir} is there already`,
    hint: expect.stringMatching(/^name a folder that is not there yet/),
  });
  expect(String(Object(refused).hint)).not.toContain('--');
  expect(asked).toBe(0);
});
