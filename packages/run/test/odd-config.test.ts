import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../src/index.ts';
import type { ResolvedConfig } from '../src/index.ts';

/** A config of one file, `a.toml`. */
async function resolve(text: string): Promise<ResolvedConfig> {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-odd-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a.toml'), text);
  return resolveConfig({ cwd, files: ['a.toml'], flags: [], userFile: null });
}

async function problemsOf(text: string): Promise<readonly Problem[]> {
  const error: unknown = await resolve(text).catch((reason: unknown) => reason);
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error.problems;
}

test.each(['.', '..', 'last', '', 'a/b', '../x'])('a run is not called %j', async (run) => {
  const problems = await problemsOf(`run = ${JSON.stringify(run)}`);
  expect(problems).toMatchObject([{ line: 1, path: `run = ${JSON.stringify(run)}` }]);
});

test.each(['latest', 'last-night', '.hidden', '...'])('a run may be called %j', async (run) => {
  expect((await resolve(`run = "${run}"`)).tree['run']).toBe(run);
});

test.each(['inf', '1e306', `"1${'0'.repeat(308)}d"`])('no duration is %s', async (value) => {
  const problems = await problemsOf(`timeout.rollout = ${value}`);
  expect(problems).toHaveLength(1);
});

test('what a timer takes no more of is no grace', async () => {
  const text = 'shutdown_grace = "25d"\ninterception.client_gone_grace = "25d"';
  const problems = await problemsOf(text);
  expect(problems.map(({ message }) => message)).toEqual(['at most 24 days', 'at most 24 days']);
});

test.each([
  'taskset.__proto__ = 1',
  '[rewards.__proto__]\nweight = 0',
  '[sampling]\n"__proto__" = { temperature = 9 }',
  '__proto__.model = "other"',
])('no table takes the key __proto__: %s', async (text) => {
  const problems = await problemsOf(text);
  expect(problems).toMatchObject([{ message: 'unknown key' }]);
});

/** What is refused of each key, what is allowed, and at both ends what is taken. */
const ranges: readonly {
  readonly key: string;
  readonly refused: readonly string[];
  readonly allowed: string;
  readonly taken: readonly string[];
}[] = [
  {
    key: 'gate.max_unscored',
    refused: ['"150%"', '"100.1%"', '"-1%"', '"x%"', '-1', '0.5', 'true'],
    allowed: 'expected a count, or a share from "0%" to "100%"',
    taken: ['0', '7', '"0%"', '"0.5%"', '"99.9%"', '"100%"', '"100.0%"'],
  },
  ...['retries.max_retries', 'roles.agent.retries.max_retries'].map((key) => ({
    key,
    refused: ['-1', '10001', '10000000000'],
    allowed: 'expected a whole number from 0 to 10000',
    taken: ['0', '10000'],
  })),
  {
    key: 'rollouts_per_example',
    refused: ['0', '-1', '100001', '10000000000'],
    allowed: 'expected a whole number from 1 to 100000',
    taken: ['1', '100000'],
  },
  ...['sampling.temperature', 'roles.agent.sampling.temperature'].map((key) => ({
    key,
    refused: ['-0.1', '-1'],
    allowed: 'expected a number from 0 on',
    taken: ['0', '0.0', '2.5', '100'],
  })),
  {
    key: 'sampling.top_p',
    refused: ['-0.1', '1.01', '95'],
    allowed: 'expected a number from 0 to 1',
    taken: ['0', '0.95', '1'],
  },
  { key: 'sampling.top_k', refused: [], allowed: '', taken: ['-1', '0', '40'] },
  ...['timeout.rollout', 'timeout.scoring', 'budget.time'].map((key) => ({
    key,
    refused: ['0', '"0s"'],
    allowed: 'expected more than 0 seconds',
    taken: ['0.001', '"1ms"'],
  })),
  { key: 'limits.max_turns', refused: ['0', '-1'], allowed: 'expected more than 0', taken: ['1'] },
  {
    key: 'serve.workers',
    refused: ['257'],
    allowed: 'expected at most 256',
    taken: ['1', '256'],
  },
  { key: 'select.skip', refused: ['-1'], allowed: 'expected a number from 0 on', taken: ['0'] },
];

test.for(ranges)('$key: what is out of its range is refused with it', async ({ key, ...range }) => {
  for (const value of range.refused) {
    const problems = await problemsOf(`${key} = ${value}`);
    expect(problems).toEqual([
      {
        file: expect.stringMatching(/a\.toml$/) as string,
        line: 1,
        column: expect.any(Number) as number,
        path: `${key} = ${value}`,
        message: range.allowed,
      },
    ]);
  }
  for (const value of range.taken) {
    const { tree } = await resolve(`${key} = ${value}`);
    expect(tree).toHaveProperty(key);
  }
});

test('what is wrong in an element of a list has its line', async () => {
  const text =
    'retries.rules = [\n  { code = "provider/*", max_retries = 2 },\n  { max_retries = -1 },\n]';
  expect(await problemsOf(text)).toMatchObject([
    { line: 3, path: 'retries.rules.1.max_retries = -1' },
  ]);
});

test('all that is out of range is told at once, and what is no number by its name', async () => {
  const text = [
    'gate.max_unscored = "150%"',
    'retries.max_retries = 10000000000',
    'retries.rules = [{ code = "provider/*", max_retries = 10000000000 }]',
    'sampling.temperature = -1',
    'sampling.top_p = inf',
    'sampling.frequency_penalty = nan',
  ].join('\n');
  const problems = await problemsOf(text);
  expect(new Set(problems.map(({ path }) => path))).toEqual(
    new Set([
      'gate.max_unscored = "150%"',
      'retries.max_retries = 10000000000',
      'retries.rules.0.max_retries = 10000000000',
      'sampling.frequency_penalty = nan',
      'sampling.temperature = -1',
      'sampling.top_p = inf',
    ]),
  );
});

const many = 20_000;

/** Files that are none of ours: a problem in every line. */
const foreign: readonly (readonly [what: string, text: (i: number) => string, head?: string])[] = [
  ['keys', (i) => `key${i} = ${i}`],
  ['tables', (i) => `[table${i}]\na = ${i}`],
  ['tables in a table', (i) => `limits.table${i}.a = ${i}`],
  ['values of another kind', (i) => `m${i} = { input = "x", output = 1 }`, '[prices]'],
  ['secrets', (i) => `k${i}_token = "sk-abcdefghijklmnop${i}"`, '[client.headers]'],
];

test.for(foreign)(
  'of 20,000 wrong %s the first are told, and how many more',
  async ([, line, head]) => {
    const text = [
      ...(head === undefined ? [] : [head]),
      ...Array.from({ length: many }, (_, i) => line(i)),
    ];
    const error: unknown = await resolve(text.join('\n')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^20000 problems in /) as string,
    });
    const { problems } = error as VfError;
    expect(problems).toHaveLength(101);
    expect(problems.slice(0, 100).every(({ line: at }) => at !== undefined)).toBe(true);
    expect(problems.at(-1)).toEqual({ message: 'and 19900 more problems' });
  },
);

test('a value of a later layer takes the place of a whole table, and the other way round', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-odd-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a.toml'), '[taskset]\nid = "t"\nx.y = 1\nx.z = 2\nw = 3');
  writeFileSync(join(cwd, 'b.toml'), '[taskset]\nx = 5\nw.v = 6');
  const { tree } = await resolveConfig({
    cwd,
    files: ['a.toml', 'b.toml'],
    flags: [],
    userFile: null,
  });
  expect(tree).toEqual({ taskset: { id: 't', x: 5, w: { v: 6 } } });
});

test.each(['{name: qwen3}', '{"name": "qwen3"', '[qwen3]', ' {}'])(
  'a table that is none is no name of a renderer: %s',
  async (renderer) => {
    const problems = await problemsOf(`client.renderer = ${JSON.stringify(renderer)}`);
    expect(problems).toMatchObject([
      {
        line: 1,
        path: `client.renderer = ${JSON.stringify(renderer)}`,
        message: expect.stringContaining('or a table such as { name = "qwen3"') as string,
      },
    ]);
  },
);
