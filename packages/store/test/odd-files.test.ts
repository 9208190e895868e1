import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  AnswerFile,
  RunWriter,
  episodes,
  isLive,
  listRuns,
  readConfigToml,
  readEpisodeLine,
  readIndex,
  readPlan,
  readSummary,
  unreadLines,
} from '../src/index.ts';
import { Child } from './child.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

/** What may stand where a file of a run should. */
const kinds: readonly { readonly kind: string; readonly make: (path: string) => void }[] = [
  { kind: 'a folder', make: (path) => mkdirSync(path) },
  { kind: 'a device', make: (path) => symlinkSync('/dev/full', path) },
  { kind: 'a pipe', make: (path) => execFileSync('mkfifo', [path]) },
];

/** A closed run with two episodes. */
async function runFolder(): Promise<string> {
  const writer = await newRun(outputFolder());
  await writer.append(episodeOf('a'));
  await writer.append(episodeOf('b'));
  await writer.writeSummary({ status: 'complete', figures: { rollouts: 2 } });
  await writer.close();
  return writer.dir;
}

async function all(dir: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const episode of episodes(dir)) found.push(episode);
  return found;
}

async function resumed(dir: string): Promise<void> {
  await (await RunWriter.resume(dir)).close();
}

/** Who meets the file, by its name. */
const readers: Readonly<Record<string, readonly ((dir: string) => Promise<unknown>)[]>> = {
  'traces.jsonl': [
    readIndex,
    all,
    unreadLines,
    resumed,
    (dir) => readEpisodeLine(dir, { offset: 0, length: 10 }),
  ],
  'traces.index.jsonl': [readIndex, all, unreadLines, resumed],
  'groups.jsonl': [readIndex, resumed],
  'plan.json': [readPlan, resumed],
  'config.toml': [readConfigToml],
  'summary.json': [readSummary],
  'run.lock': [isLive, resumed],
  'answers.jsonl': [(dir) => AnswerFile.open(dir)],
};

const cases = Object.keys(readers).flatMap((file) =>
  kinds.map(({ kind, make }) => ({ file, kind, make })),
);

test.for(cases)('$file that is $kind is told by all who meet it', async ({ file, kind, make }) => {
  const dir = await runFolder();
  const path = join(dir, file);
  if (existsSync(path)) renameSync(path, `${path}.kept`);
  make(path);
  for (const read of readers[file] ?? []) {
    const error: unknown = await read(dir).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error, String(read)).toMatchObject({
      code: 'store/damaged',
      message: `${path} is ${kind}, not a file`,
      hint: expect.stringContaining('move it away') as string,
    });
  }
  // plan.json is what makes a folder a run.
  const listed = await listRuns(join(dir, '..'));
  expect(listed.map(({ name }) => name)).toEqual(file === 'plan.json' ? [] : ['nightly']);
});

test.for(kinds)('once the file is back where $kind was, nothing is lost', async ({ make }) => {
  const dir = await runFolder();
  const path = join(dir, 'traces.jsonl');
  const before = readFileSync(path);
  renameSync(path, `${path}.kept`);
  make(path);
  await expect(resumed(dir)).rejects.toMatchObject({ code: 'store/damaged' });
  execFileSync('rm', ['-r', path]);
  renameSync(`${path}.kept`, path);
  const writer = await RunWriter.resume(dir);
  onTestFinished(() => writer.close());
  expect(writer.repairs).toEqual([]);
  expect(readFileSync(path)).toEqual(before);
  expect(await readIndex(dir)).toHaveLength(2);
});

test.for(kinds)('a new run is not begun over $kind', async ({ kind, make }) => {
  const dir = join(outputFolder(), 'nightly');
  mkdirSync(dir);
  make(join(dir, 'traces.jsonl'));
  const run = { dir, runId: 'k7fq2a', name: 'nightly', configToml: '', plan: {} };
  await expect(RunWriter.create(run)).rejects.toMatchObject({
    code: 'store/not_writable',
    message: `${join(dir, 'traces.jsonl')} is ${kind}, not a file`,
  });
  expect(readdirSync(dir)).not.toContain('plan.json');
  expect(readdirSync(dir)).not.toContain('run.lock');
});

test('a link to a file elsewhere is a file', async () => {
  const dir = await runFolder();
  const path = join(dir, 'traces.jsonl');
  renameSync(path, `${path}.elsewhere`);
  symlinkSync(`${path}.elsewhere`, path);
  await resumed(dir);
  expect(await readIndex(dir)).toHaveLength(2);
});

test('a folder among the journals is passed over', async () => {
  const dir = await runFolder();
  mkdirSync(join(dir, 'journal', 'odd.jsonl'), { recursive: true });
  await expect(resumed(dir)).resolves.toBeUndefined();
});

const damaged = 'store/damaged';
const readOnly = 'store/not_writable';

/** Modes, and what list, find by name and by `last`, plan, index and resume answer to who is not the owner. */
const refusals: readonly (readonly [what: string, mode: number, answers: readonly string[]])[] = [
  ['nightly/traces.jsonl', 0o000, ['1', 'found', 'found', 'read', damaged, damaged]],
  ['nightly/traces.jsonl', 0o444, ['1', 'found', 'found', 'read', '2', readOnly]],
  ['nightly/traces.index.jsonl', 0o000, ['1', 'found', 'found', 'read', damaged, damaged]],
  ['nightly/plan.json', 0o000, ['0', 'found', 'found', damaged, '2', damaged]],
  ['nightly', 0o555, ['1', 'found', 'found', 'read', '2', readOnly]],
  ['nightly', 0o000, ['0', damaged, damaged, damaged, damaged, damaged]],
  ['.', 0o000, [damaged, damaged, damaged, damaged, damaged, damaged]],
];

test.for(refusals)('%s with mode %o is told by all who meet it', async ([what, mode, answers]) => {
  const outputDir = dirname(await runFolder());
  const path = join(outputDir, what);
  for (const open of ['.', 'nightly']) chmodSync(join(outputDir, open), 0o777);
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, 0o777));
  const child = new Child(new URL('./children/read.ts', import.meta.url), [outputDir]);
  await child.ended();
  expect(child.lines).toEqual(answers);
});
