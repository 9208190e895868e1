import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { afterEach, expect, test } from 'vitest';
import { resolveConfig } from '../src/index.ts';
import type { FlagValue, ResolvedConfig } from '../src/index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vf-config-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function flag(name: string, value: unknown, text: string | null = String(value)): FlagValue {
  return { flag: `--${name}`, path: name.split('.'), value, text };
}

function resolve(
  files: Readonly<Record<string, string>>,
  flags: readonly FlagValue[] = [],
  user?: string,
): Promise<ResolvedConfig> {
  const cwd = folderWith({ ...files, ...(user === undefined ? {} : { 'user-config': user }) });
  // The user file has no ending of its own here, so that it is not one of the run's files.
  return resolveConfig({
    cwd,
    files: Object.keys(files),
    flags,
    userFile: user === undefined ? null : join(cwd, 'user-config'),
  });
}

async function refusal(work: Promise<unknown>): Promise<VfError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error;
}

test('later files win over earlier ones, and flags over all', async () => {
  const { config, sourceOf } = await resolve(
    {
      'a.toml': 'model = "a"\nmax_concurrent = 1\nnum_examples = 5',
      'b.toml': 'model = "b"\nmax_concurrent = 2',
    },
    [flag('model', 'c')],
  );
  expect(config).toMatchObject({
    model: 'c',
    maxConcurrent: 2,
    numExamples: 5,
    rolloutsPerExample: 1,
  });
  expect(sourceOf('model')).toBe('--model');
  expect(sourceOf('max_concurrent')).toBe('b.toml:2');
  expect(sourceOf('num_examples')).toBe('a.toml:3');
  expect(sourceOf('retries.max_retries')).toBeNull();
});

test('an unknown key is told with file, line, column and the nearest name, with all other problems at once', async () => {
  const error = await refusal(
    resolve({
      'nightly.toml':
        'model = "m"\n\n[sampling]\ntemperature = "hot"\n\n[runtime]\nid = 7\n[gate]\nstop_aftr = 3\n',
    }),
  );
  expect(error.code).toBe('config/invalid');
  expect(error.message).toBe('3 problems in nightly.toml');
  expect(error.problems).toMatchObject([
    { file: 'nightly.toml', line: 7, column: 1, path: 'runtime.id = 7', message: 'expected text' },
    { line: 4, column: 1, path: 'sampling.temperature = "hot"', message: 'expected a number' },
    { line: 9, column: 1, path: 'gate.stop_aftr', message: 'unknown key', nearest: 'stop_after' },
  ]);
});

test('a value out of a list names the list', async () => {
  const error = await refusal(resolve({ 'a.toml': 'runtime.keep = "always"' }));
  expect(error.problems).toMatchObject([{ line: 1, message: 'expected one of never, failed' }]);
});

test('an unknown key given as a flag is told by its flag', async () => {
  const error = await refusal(resolve({}, [flag('max_concurent', 3)]));
  expect(error.problems).toMatchObject([{ file: '--max_concurent', nearest: 'max_concurrent' }]);
});

test('a file that does not parse is told with its place', async () => {
  const error = await refusal(resolve({ 'a.toml': 'model = "m"\nx = = 1\n' }));
  expect(error).toMatchObject({
    code: 'config/unreadable',
    problems: [{ file: 'a.toml', line: 2 }],
  });
  expect((await refusal(resolve({ 'a.json': '{' }))).code).toBe('config/unreadable');
});

test('a file that is not there is told', async () => {
  const error = await refusal(
    resolveConfig({ cwd: folderWith({}), files: ['no.toml'], flags: [], userFile: null }),
  );
  expect(error).toMatchObject({
    code: 'config/unreadable',
    message: 'no.toml cannot be read: it is not there',
  });
});

test('JSON works as TOML does', async () => {
  expect(
    (await resolve({ 'a.json': '{"model": "m", "limits": {"max_turns": 7}}' })).config,
  ).toMatchObject({ model: 'm', limits: { maxTurns: 7 } });
});

test('a key that a JSON file has twice is refused, with both lines', async () => {
  const text =
    '{\n  "model": "m",\n  "limits": {"max_turns": 7,\n "max_turns": 8},\n  "mo\\u0064el": "n"\n}';
  expect(await refusal(resolve({ 'a.json': text }))).toMatchObject({
    code: 'config/unreadable',
    message: 'a.json has keys twice',
    problems: [
      { file: 'a.json', line: 4, path: 'limits.max_turns', message: 'is there already, on line 3' },
      { file: 'a.json', line: 5, column: 3, path: 'model', message: 'is there already, on line 2' },
    ],
  });
  const lists = '{"model": "m", "env": {"a": [{"b": "]{\\"", "c": 1}, {"b": 2}]}}';
  expect((await refusal(resolve({ 'a.json': lists }))).message).not.toContain('twice');
});

test('a problem in a JSON file is told with its line', async () => {
  const error = await refusal(resolve({ 'a.json': '{\n"model": "m",\n  "max_concurent": 3}' }));
  expect(error.problems).toMatchObject([
    { file: 'a.json', line: 3, column: 3, nearest: 'max_concurrent' },
  ]);
});

test('naming another harness drops the lower layers’ other keys of that table, and says so', async () => {
  const { config, notes } = await resolve(
    { 'a.toml': '[harness]\nid = "codex"\nversion = "0.116.0"\nextra_tools = false' },
    [flag('harness.id', 'null')],
  );
  expect(config.harness).toMatchObject({ id: 'null', version: null, options: {} });
  expect(notes).toEqual([
    'harness codex → null (from --harness.id); dropped: version, extra_tools',
  ]);
});

test('naming the same harness again keeps its options', async () => {
  const { config, notes } = await resolve({ 'a.toml': '[harness]\nid = "codex"\nversion = "1"' }, [
    flag('harness.id', 'codex'),
  ]);
  expect(config.harness.version).toBe('1');
  expect(notes).toEqual([]);
});

test('codex@0.116.0 sets id and version', async () => {
  const { config } = await resolve({}, [flag('harness.id', 'codex@0.116.0')]);
  expect(config.harness).toMatchObject({ id: 'codex', version: '0.116.0' });
});

test('none takes a lower layer’s value away', async () => {
  const { config } = await resolve({ 'a.toml': 'limits.max_turns = 5\nnum_examples = 3' }, [
    flag('limits.max_turns', undefined, 'none'),
    flag('num_examples', undefined, 'none'),
  ]);
  expect(config.limits).toEqual({});
  expect(config.numExamples).toBeNull();
});

test('a key that holds text takes what was typed, even if it reads as a number', async () => {
  expect((await resolve({}, [flag('model', 5)])).config.model).toBe('5');
  expect((await resolve({}, [flag('harness.version', 0.1, '0.10')])).config.harness.version).toBe(
    '0.10',
  );
});

test.each([
  ['90', 90_000],
  ['"20m"', 1_200_000],
  ['"1h 30m"', 5_400_000],
  ['"500ms"', 500],
  ['1.5', 1_500],
])('a timeout of %s is %d ms', async (text, ms) => {
  expect((await resolve({ 'a.toml': `timeout.rollout = ${text}` })).config.timeout.rollout).toBe(
    ms,
  );
});

test.each([0, -1, 1.5, 257, 10_000])('%d workers of a server are refused', async (workers) => {
  const error = await refusal(resolve({ 'a.toml': `serve.workers = ${workers}` }));
  expect(error.problems).toMatchObject([{ file: 'a.toml', line: 1 }]);
});

test.each(['"soon"', '-1', 'true', '"1 fortnight"'])('a timeout of %s is refused', async (text) => {
  expect((await refusal(resolve({ 'a.toml': `timeout.rollout = ${text}` }))).code).toBe(
    'config/invalid',
  );
});

test('a verifiers config works as it is', async () => {
  const { config } = await resolve({
    'v.toml': `
num_rollouts = 4
push = false
rich = true
[select]
limit = 10
[env]
id = "user-sim"
[env.taskset]
id = "gsm8k"
split = "test"
[env.agent]
model = "m"
max_turns = 20
[env.agent.harness]
id = "claude_code"
[env.agent.runtime]
type = "docker"
[env.agent.sampling]
max_tokens = 100
[env.user]
model = "u"
max_turns = 3
[env.user.runtime]
type = "subprocess"
`,
  });
  expect(config).toMatchObject({
    rolloutsPerExample: 4,
    numExamples: 10,
    environment: { id: 'user-sim' },
    taskset: { id: 'gsm8k', options: { split: 'test' } },
    model: 'm',
    limits: { maxTurns: 20 },
    harness: { id: 'claude-code' },
    runtime: { id: 'docker' },
    sampling: { maxOutputTokens: 100 },
    roles: { user: { model: 'u', limits: { maxTurns: 3 }, runtime: { id: 'subprocess' } } },
  });
});

test.each([
  ['push = true', 'push'],
  ['[run]\nattach = "x"', 'run.attach'],
])('%s is refused by name', async (text, path) => {
  expect((await refusal(resolve({ 'a.toml': text }))).problems).toMatchObject([
    { path, file: 'a.toml' },
  ]);
});

test('one key in two spellings in one file is an error that names both', async () => {
  const error = await refusal(resolve({ 'a.toml': 'rollouts_per_example = 2\nnum_rollouts = 3' }));
  expect(error).toMatchObject({
    code: 'config/two_spellings',
    problems: [
      { path: 'num_rollouts', line: 2, message: expect.stringContaining('rollouts_per_example') },
    ],
  });
});

test('kebab case is read as snake case, but not inside tables whose keys are made up', async () => {
  const { config } = await resolve({
    'a.toml':
      'max-concurrent = 3\n[harness]\nid = "x"\nsome-option = 1\n[harness.env]\nMY-VAR = "a"\n[rewards.my-reward]\nweight = 2',
  });
  expect(config.maxConcurrent).toBe(3);
  expect(config.harness.env).toEqual({ 'MY-VAR': 'a' });
  expect(config.rewards).toEqual({ 'my-reward': { weight: 2 } });
});

test('paths in a file start at the file, paths in flags at the working directory', async () => {
  const cwd = folderWith({});
  const other = folderWith({
    'a.toml': 'taskset.id = "./sums.ts"\nrewards.terse.fn = "./terse.ts#terse"\noutput_dir = "out"',
  });
  const { config } = await resolveConfig({
    cwd,
    files: [join(other, 'a.toml')],
    flags: [],
    userFile: null,
  });
  expect(config.taskset?.id).toBe(join(other, 'sums.ts'));
  expect(config.rewards['terse']?.fn).toBe(join(other, 'terse.ts#terse'));
  expect(config.outputDir).toBe(join(cwd, 'out'));
  const flagged = await resolveConfig({
    cwd,
    files: [],
    flags: [flag('taskset.id', './sums.ts')],
    userFile: null,
  });
  expect(flagged.config.taskset?.id).toBe(join(cwd, 'sums.ts'));
});

test('the user file holds providers, prices and folders, and nothing that is measured', async () => {
  const { config } = await resolve(
    {},
    [],
    '[prices."m"]\ninput = 1\noutput = 2\n[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\ndialects = ["messages"]',
  );
  expect(config.prices['m']).toEqual({ input: 1, output: 2 });
  expect(config.providers['mine']).toMatchObject({ dialects: ['messages'], apiKeyVar: null });
  const error = await refusal(resolve({}, [], 'model = "m"\n[sampling]\ntemperature = 0'));
  expect(error.problems.map(({ path }) => path)).toEqual(['model', 'sampling']);
});

test('unknown sampling keys go to the provider as they are', async () => {
  expect(
    (await resolve({ 'a.toml': '[sampling]\ntop_p = 0.5\nmin_p = 0.1' })).config.sampling,
  ).toEqual({ topP: 0.5, extra: { min_p: 0.1 } });
});

test.each([
  ['3', { count: 3 }],
  ['"1%"', { share: 0.01 }],
])('gate.max_unscored = %s', async (text, expected) => {
  expect(
    (await resolve({ 'a.toml': `gate.max_unscored = ${text}` })).config.gate.maxUnscored,
  ).toEqual(expected);
});

test.each([
  'client.headers',
  'client.headers_from_env',
  'roles.agent.client.headers',
  'providers.my-own.headers',
  'judges.my-own.client.headers',
  'judges.my-own.client.headers_from_env',
])('a header keeps its name: %s', async (table) => {
  const provider = '[providers.my-own]\nbase_url = "http://h"\ndialects = ["messages"]';
  const { tree } = await resolve({ 'a.toml': `${provider}\n[${table}]\nX-Meta = "META"` });
  expect(tree).toHaveProperty([...table.split('.'), 'X-Meta'], 'META');
});

test('a byte order mark is no part of the text', async () => {
  expect((await resolve({ 'a.toml': '\uFEFFmodel = "m"' })).config.model).toBe('m');
  expect((await resolve({ 'a.json': '\uFEFF{"model": "m"}' })).config.model).toBe('m');
});

test('a file nested beyond reason is refused, not followed', async () => {
  const deep = `{"sampling": ${'{"a": '.repeat(3_000)}1${'}'.repeat(3_001)}`;
  const error = await refusal(resolve({ 'a.json': deep }));
  expect(error).toMatchObject({ code: 'config/unreadable' });
});
