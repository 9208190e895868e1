import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { textOf } from '@vf/core/trace';
import { answerSums, fail, say, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, startVf, vf } from './cli.ts';
import type { CliResult } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const secret = 'sk-very-secret-4711';
const cwd = emptyFolder();
let model: ScriptedModel;

/** Question 1 is refused, 2 is answered with the secret, the others rightly. */
beforeAll(async () => {
  const answer = answerSums();
  model = await startScriptedModel({
    script: (request) => {
      const asked = textOf(request.messages.findLast(({ role }) => role === 'user')?.content ?? '');
      if (asked.includes('1 + 1')) return fail(400, { message: 'no ones' });
      return asked.includes('2 + 2')
        ? say(`The key is ${secret}, twice: ${secret}`)
        : answer(request);
    },
  });
  const run = ['eval', addition, '-n', '4', '--run', 'mixed', '-m', 'scripted', '-q'];
  const { code, stderr } = await vf([...run, '--base-url', `${model.url}/v1`], { cwd });
  if (code !== 3) throw new Error(stderr);
});
afterAll(() => model.close());

const exported = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> => vf(['export', 'mixed', ...args], { cwd, env });
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const document = ({ stdout }: CliResult): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

test('a run as CSV: what is unscored has no reward', async () => {
  const { code, stdout, stderr } = await exported(['--to', 'csv', '-o', 'all.csv']);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('all.csv: 4 rollouts of 4 episodes of mixed for csv');
  const [head = '', ...rows] = read('all.csv').trimEnd().split('\r\n');
  const at = head.split(',').indexOf('reward');
  const rewards = rows.map((row) => row.split(',')[at]);
  expect(new Set(rewards)).toEqual(new Set(['', '0', '1']));
});

test('a device or a pipe takes the bytes, and stays what it is', async () => {
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const heard = readFile(pipe, 'utf8');
  const { code, stderr } = await exported(['--to', 'csv', '-o', 'pipe']);
  expect(code, stderr).toBe(0);
  expect((await heard).trimEnd().split('\r\n')).toHaveLength(5);
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test('who reads stdout may stop reading', async () => {
  const bin = resolve(import.meta.dirname, '../bin/vf.js');
  const args = ['--conditions=@vf/source', bin, 'export', 'mixed', '--to', 'csv', '-o', '-'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('stdout: 4 rollouts of 4 episodes of mixed for csv');
});

test('a form of several files takes the place of no file', async () => {
  writeFileSync(join(cwd, 'kept'), 'as it was');
  const { code, stderr } = await exported(['--to', 'atif', '-o', 'kept']);
  expect(code).toBe(2);
  expect(stderr).toContain('this export is a folder, and kept is a file');
  expect(read('kept')).toBe('as it was');
});

test('where nothing fits, nothing is written', async () => {
  const { code, stderr } = await exported(['--to', 'csv', '-o', 'none.csv', '--where', 'reward=7']);
  expect(code).toBe(2);
  expect(stderr).toContain('mixed has no episode that --where lets through');
  expect(readdirSync(cwd)).not.toContain('none.csv');
});

test('--where chooses the episodes, options choose the rows, - is stdout', async () => {
  const { code, stdout } = await exported([
    '--to',
    'csv',
    '-o',
    '-',
    '--where',
    'reward=1',
    '--export.rows',
    'turns',
  ]);
  expect(code).toBe(0);
  const rows = stdout.trimEnd().split('\r\n');
  expect(rows[0]).toMatch(/^episode,trace,task,attempt,agent,turn,/);
  expect(rows).toHaveLength(3);
});

test('secrets are masked in messages, and how many is said', async () => {
  const env = { SERVICE_TOKEN: secret };
  const result = await exported(['--to', 'verifiers', '-o', 'masked.jsonl', '--json'], env);
  expect(document(result)).toMatchObject({
    v: 1,
    run: 'mixed',
    to: 'verifiers',
    path: join(cwd, 'masked.jsonl'),
    episodes: 4,
    written: 4,
    unit: 'episodes',
    omitted: { total: 0, reasons: [], diagnostics: null },
    masked: { values: 2, episodes: 1, in_tokens: 0 },
  });
  const text = read('masked.jsonl');
  expect(text).not.toContain(secret);
  expect(text).toContain('The key is «SERVICE_TOKEN», twice: «SERVICE_TOKEN»');
  writeFileSync(join(cwd, 'secrets.env'), `OTHER_KEY=${secret}\n`);
  const file = ['--env-file', 'secrets.env'];
  const { stderr } = await exported(['--to', 'verifiers', '-o', 'masked.jsonl', ...file]);
  expect(stderr).toContain('masked 2 values of secrets in 1 episode');
  expect(read('masked.jsonl')).toContain('«OTHER_KEY»');
});

test('a form that needs tokens names what has none, and writes nothing', async () => {
  const before = readdirSync(cwd).toSorted();
  const trl = resolve(import.meta.dirname, '../../../plugins/export/trl/src/index.ts');
  const { code, stderr } = await exported(['--to', trl, '-o', 'train.jsonl']);
  expect(code).toBe(2);
  expect(stderr).toContain('[store/not_exportable]');
  expect(
    stderr.match(/replies have no token ids \(1 of 1, scripted gave text alone\)/g),
  ).toHaveLength(1);
  expect(stderr).toMatch(/:1, .*:1, .*:1 +replies have no token ids/);
  expect(stderr).toMatch(/:1 +it has no score \(provider\//);
  expect(stderr).toMatch(
    /fix: +exact tokens come from an engine: client\.type = "train" with client\.engine/,
  );
  expect(readdirSync(cwd).toSorted()).toEqual(before);
});

/** Writes the first half, says so, and waits; or leaves every second episode out. */
const halfway = `
import { writeFileSync } from 'node:fs';
export default { kind: 'export', specVersion: 1, id: 'halfway', async write({ episodes, path, signal }) {
  writeFileSync(path, 'half');
  for await (const _ of episodes) break;
  process.stderr.write('halfway\\n');
  await new Promise((_, stop) => { const stay = setInterval(() => {}, 1000); signal.addEventListener('abort', () => { clearInterval(stay); stop(signal.reason); }); });
} };`;
const picky = `
import { writeFileSync } from 'node:fs';
export default { kind: 'export', specVersion: 1, id: 'picky', async write({ episodes, path, omit }) {
  let seen = 0;
  for await (const { id, task } of episodes)
    if (seen++ % 2 === 1) omit({ episode: id, task: task.key, attempt: 1, reason: 'it is odd', detail: String(seen) });
  writeFileSync(path, 'kept');
  return { written: 2, unit: 'halves' };
} };`;

test('SIGINT leaves nothing half-written, and the old file as it was', async () => {
  const folder = join(cwd, 'interrupted');
  mkdirSync(folder);
  writeFileSync(join(folder, 'out'), 'old');
  writeFileSync(join(cwd, 'halfway.mjs'), halfway);
  const running = startVf(['export', 'mixed', '--to', './halfway.mjs', '-o', 'interrupted/out'], {
    cwd,
  });
  await running.seen('halfway');
  running.process.kill('SIGINT');
  expect(await running.done).toMatchObject({ code: 130, signal: null });
  expect(readdirSync(folder)).toEqual(['out']);
  expect(read('interrupted/out')).toBe('old');
});

test.each([
  [
    "Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', syscall: 'write' })",
    'store/disk_full',
  ],
  [
    "Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'write' })",
    'store/not_writable',
  ],
  ["new TypeError('x is not a function')", 'plugin/failed'],
])('an exporter that throws %s leaves nothing: %s', async (thrown, code) => {
  const folder = join(cwd, code.replace('/', '-'));
  mkdirSync(folder);
  writeFileSync(
    join(cwd, 'throwing.mjs'),
    `import { writeFileSync } from 'node:fs';
    export default { kind: 'export', specVersion: 1, id: 'throwing', async write({ path }) { writeFileSync(path, 'half'); throw ${thrown}; } };`,
  );
  const result = await exported(['--to', './throwing.mjs', '-o', join(folder, 'out')]);
  expect(result).toMatchObject({ code: 2 });
  expect(result.stderr).toContain(`[${code}]`);
  expect(readdirSync(folder)).toEqual([]);
});

test('what is left out is counted by reason, and each is a line beside the export', async () => {
  writeFileSync(join(cwd, 'picky.mjs'), picky);
  const to = ['--to', './picky.mjs', '-o', 'picky.jsonl'];
  const { code, stderr } = await exported(to);
  expect(code).toBe(0);
  expect(stderr).toContain('picky.jsonl: 2 halves of 4 episodes');
  expect(stderr).toMatch(
    /left out 2, each in .*picky\.diagnostics\.jsonl\n +2 +it is odd \(2\), as \w+:1/,
  );
  const lines = read('picky.diagnostics.jsonl').trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { attempt: 1, reason: 'it is odd', detail: '2' },
    { attempt: 1, reason: 'it is odd', detail: '4' },
  ]);
  expect(document(await exported([...to, '--json']))).toMatchObject({
    omitted: {
      total: 2,
      reasons: [{ reason: 'it is odd', count: 2 }],
      diagnostics: join(cwd, 'picky.diagnostics.jsonl'),
    },
  });
  await exported(['--to', 'csv', '-o', 'picky.jsonl']);
  expect(readdirSync(cwd)).not.toContain('picky.diagnostics.jsonl');
});

test.each([
  [['export'], 'which run?', 'usage/invalid'],
  [['export', 'mixed', '-o', 'x'], '--to ID is missing', 'usage/invalid'],
  [['export', 'mixed', '--to', 'csv'], '-o PATH is missing', 'usage/invalid'],
  [['export', 'mixed', '--to', 'csv', '-o', '-', '--json'], 'both want stdout', 'usage/invalid'],
  [['export', 'mixde', '--to', 'csv', '-o', 'x'], 'nearest: mixed', 'usage/not_found'],
  [['export', 'mixed', '--to', 'cvs', '-o', 'x'], 'no export "cvs"', 'plugin/unknown'],
  [
    ['export', 'mixed', '--to', 'csv', '-o', 'outputs'],
    'is a folder that is there already',
    'usage/invalid',
  ],
  [
    ['export', 'mixed', '--to', 'csv', '-o', 'all.csv/x'],
    'cannot be written',
    'store/not_writable',
  ],
  [
    ['export', 'mixed', '--to', 'csv', '-o', '/proc/no/such/x'],
    'cannot be written',
    'store/not_writable',
  ],
  [
    ['export', 'mixed', '--to', 'csv', '-o', 'x', '--export.row', 'turns'],
    'nearest: rows',
    'config/invalid',
  ],
  [
    ['export', 'mixed', '--to', 'csv', '-o', 'x', '--rows', 'turns'],
    'unknown flag --rows',
    'usage/invalid',
  ],
  [
    ['export', 'mixed', '--to', 'csv', '-o', 'x', '--where', 'rewrad<1'],
    'nearest: reward',
    'usage/invalid',
  ],
  [['export', 'mixed', '--to', 'hessian', '-o', 'x'], 'no token ids', 'store/not_exportable'],
])('%j is refused before anything is written', async (args, words, code) => {
  const before = readdirSync(cwd).toSorted();
  const result = await vf(args, { cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(words);
  expect(result.stderr).toContain(`[${code}]`);
  expect(readdirSync(cwd).toSorted()).toEqual(before);
});

test('options come from @ files, and --help lists them', async () => {
  writeFileSync(join(cwd, 'turns.toml'), '[export]\nrows = "turns"\n');
  const { stdout } = await exported(['--to', 'csv', '-o', '-', '@', 'turns.toml']);
  expect(stdout).toMatch(/^episode,trace,task,attempt,agent,turn,/);
  const help = await exported(['--to', 'hessian', '--help']);
  expect(help.stdout).toMatch(
    /Options of export hessian:\n.*--export\.model-revision string.*required/s,
  );
});

test('validate-trajectories names every problem with its line', async () => {
  writeFileSync(join(cwd, 'bad.jsonl'), '{}\n{"seed": 1, "seed": 2}\nno\n');
  const { code, stdout } = await vf(['validate-trajectories', 'bad.jsonl'], { cwd });
  expect(code).toBe(5);
  expect(stdout).toMatch(/^bad\.jsonl:1 {2}episode_id {2}is missing$/m);
  expect(stdout).toMatch(/^bad\.jsonl:2 {2}seed {2}is a key that stands twice$/m);
  expect(stdout).toMatch(/^bad\.jsonl:3 {2}is no JSON/m);
  expect(stdout).toMatch(/problems on 3 lines, 0 sound episodes$/m);
  const json = document(await vf(['validate-trajectories', 'bad.jsonl', '--json'], { cwd }));
  expect(json).toMatchObject({
    v: 1,
    file: 'bad.jsonl',
    records: 0,
    problems: expect.arrayContaining([
      { line: 2, path: 'seed', message: 'is a key that stands twice' },
    ]),
  });
  for (const nothing of ['', '\n']) {
    writeFileSync(join(cwd, 'empty.jsonl'), nothing);
    const empty = await vf(['validate-trajectories', 'empty.jsonl'], { cwd });
    expect(empty).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('empty.jsonl:1  holds no episode\n'),
    });
  }
  expect(await vf(['validate-trajectories', 'none.jsonl'], { cwd })).toMatchObject({ code: 2 });
});
