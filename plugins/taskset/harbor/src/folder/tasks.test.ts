import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configSchema } from '../config.ts';
import { loadRows } from '../load.ts';
import { digestOf } from './digest.ts';
import { findTasks, rootOf } from './find-tasks.ts';
import type { HarborTask } from './harbor-task.ts';
import { readTask } from './read-task.ts';

const fixtures = resolve(import.meta.dirname, '../../fixtures');
const never = new AbortController().signal;

/** A folder with these files, gone after the test. */
async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

const small = {
  'task.toml': '',
  'instruction.md': 'Do it.',
  'environment/Dockerfile': 'FROM a\n',
  'tests/test.sh': '',
};

async function taskIn(dir: string): Promise<HarborTask> {
  const read = await readTask(dir);
  if ('refused' in read) throw new Error(JSON.stringify(read.refused));
  return read.task;
}

async function refusals(files: Readonly<Record<string, string>>) {
  const dir = await folder(files);
  const read = await readTask(dir);
  const refused = 'refused' in read ? read.refused : [];
  return refused.map(({ file = '', path, message }) => [file.slice(dir.length + 1), path, message]);
}

test('the fixture tasks as rows', async () => {
  const config = configSchema.parse({ path: fixtures });
  const rows = await loadRows(config, undefined, never);
  expect(rows).toMatchObject([
    {
      key: 'hello-file',
      name: 'vf-fixtures/hello-file',
      prompt: expect.stringMatching(/^Create the file/),
      build: { context: join(fixtures, 'hello-file/environment') },
      network: { mode: 'no-network' },
      resources: { cpu: 1, memoryMb: 512, diskMb: 1024 },
      timeouts: { boot: 300_000, agent: 120_000, scoring: 60_000 },
      metadata: { difficulty: 'trivial', category: 'fixture', tags: ['smoke'] },
    },
    {
      key: 'json-reward',
      user: 'clerk',
      workdir: '/app/out',
      env: { WORD_LIST: '/app/words.txt' },
      artifacts: [
        { source: '/logs/artifacts' },
        { source: '/app/out/summary.txt' },
        { source: '/app/words.txt' },
      ],
    },
    { key: 'two-steps', timeouts: { boot: 300_000 }, prompt: expect.stringMatching(/three lines/) },
  ]);
});

test('limits are stretched phase by phase, and tasks chosen by folder', async () => {
  const config = configSchema.parse({
    path: fixtures,
    tasks: ['hello-file'],
    buildTimeoutMultiplier: 2,
    agentTimeoutMultiplier: 3,
    verifierTimeoutMultiplier: 0.5,
  });
  const rows = await loadRows(config, undefined, never);
  expect(rows.map(({ timeouts }) => timeouts)).toEqual([
    { boot: 600_000, agent: 360_000, scoring: 30_000 },
  ]);
  const other = loadRows({ ...config, tasks: ['hullo'] }, undefined, never);
  await expect(other).rejects.toMatchObject({ code: 'taskset/load_failed' });
});

test('steps fall back to the task, but for the verifier’s limit', async () => {
  const dir = await folder({
    ...small,
    'task.toml': `
      artifacts = ["/a"]
      [agent]
      timeout_sec = 50
      [verifier]
      timeout_sec = 40
      user = "grader"
      env = { A = "1", B = "1" }
      [[steps]]
      name = "one"
      min_reward = { style = 0.5 }
      [[steps]]
      name = "two"
      artifacts = ["/b"]
      agent = { timeout_sec = 5, network_mode = "no-network" }
      verifier = { env = { B = "2" }, timeout_sec = 4, user = 0 }
    `,
    'steps/one/instruction.md': '1',
    'steps/two/instruction.md': '2',
    'steps/two/tests/test.sh': '',
    'solution/solve.sh': '',
    'steps/two/solution/solve.sh': '',
  });
  const { steps, isMultiStep } = await taskIn(dir);
  expect(isMultiStep).toBe(true);
  expect(steps).toMatchObject([
    {
      agentTimeout: 50,
      agentNetwork: { mode: 'public' },
      solution: join(dir, 'solution'),
      minReward: { style: 0.5 },
      verifier: {
        timeout: 600,
        user: 'grader',
        env: { A: '1', B: '1' },
        tests: [join(dir, 'tests')],
      },
    },
    {
      agentTimeout: 5,
      agentNetwork: { mode: 'no-network' },
      solution: join(dir, 'steps/two/solution'),
      artifacts: ['/a', '/b'],
      minReward: {},
      verifier: {
        timeout: 4,
        user: 0,
        env: { A: '1', B: '2' },
        tests: [join(dir, 'tests'), join(dir, 'steps/two/tests')],
        network: { mode: 'public' },
      },
    },
  ]);
});

test.each([
  ['[verifier.environment]\ndocker_image = "grader"', {}, 'image', 0],
  ['verifier.environment_mode = "separate"', { 'tests/Dockerfile': 'FROM b' }, 'tests', 0],
  ['verifier.environment_mode = "separate"\nenvironment.docker_image = "a"', {}, 'agent', 1],
])('where a separate verifier’s image comes from: %j', async (toml, files, from, uploads) => {
  const dir = await folder({ ...small, ...files, 'task.toml': toml });
  const { verifier } = (await taskIn(dir)).steps[0] ?? {};
  const images = {
    image: { image: 'grader' },
    tests: { build: { context: join(dir, 'tests') } },
    agent: { image: 'a' },
  };
  expect(verifier?.separate?.source).toEqual(
    Object.entries(images).find(([name]) => name === from)?.[1],
  );
  expect(verifier?.tests).toHaveLength(uploads);
  const rows = await loadRows(configSchema.parse({ path: dir }), undefined, never);
  expect(rows[0]?.timeouts).toMatchObject({ finalize: 720_000, scoring: 600_000 });
});

test('what the image leaves in charge, where the agent is another', async () => {
  const agent = { 'task.toml': 'agent.user = "a"' };
  const dockerfile = 'FROM x AS y\nUSER one\nFROM y\nUSER two:group\n USER three\n';
  const dir = await folder({ ...small, ...agent, 'environment/Dockerfile': dockerfile });
  expect((await taskIn(dir)).imageUser).toBe('three');
  expect((await taskIn(await folder({ ...small, ...agent }))).imageUser).toBe('root');
  expect((await taskIn(await folder(small))).imageUser).toBeNull();
});

test('files are sent to a ready image only', async () => {
  const toml = { 'task.toml': 'environment.docker_image = "a"' };
  expect((await taskIn(await folder({ ...small, ...toml }))).environmentFiles).toBeNull();
  const { 'environment/Dockerfile': _dockerfile, ...rest } = small;
  const dir = await folder({ ...rest, ...toml, 'environment/data.txt': '' });
  expect((await taskIn(dir)).environmentFiles).toBe(join(dir, 'environment'));
});

test('all that is missing or cannot be honoured, by file and key', async () => {
  expect(await refusals({ 'task.toml': '' })).toEqual([
    ['instruction.md', undefined, 'the file is missing'],
    ['tests/test.sh', undefined, 'the file is missing'],
    ['environment/Dockerfile', undefined, 'the file is missing'],
  ]);
  const toml = `
    artifacts = [{ source = "/a", service = "db" }]
    [verifier]
    collect = [{ command = "x", service = "db" }]
    [environment]
    os = "windows"
    tpu = { type = "v5", topology = "2x2" }
    [[steps]]
    name = "a"
  `;
  const files = {
    ...small,
    'task.toml': toml,
    'steps/a/instruction.md': '',
    'steps/a/trajectory.json': '{}',
    'tests/test.sh': '#!/bin/sh\r\n',
  };
  const told = await refusals(files);
  expect(told.map(([file, path]) => path ?? file)).toEqual([
    'environment.os',
    'environment.tpu',
    'verifier.collect[0].service',
    'artifacts[0].service',
    'schema_version',
    'steps',
    'tests/test.sh',
  ]);
});

test('metadata of any shape, dates among them, is JSON in a row', async () => {
  const toml = 'metadata = { made = 2026-01-02, deep = { list = [1, "a", { b = true }] } }';
  const dir = await folder({ ...small, 'task.toml': toml });
  const rows = await loadRows(configSchema.parse({ path: dir }), undefined, never);
  expect(rows[0]?.metadata).toEqual({
    made: '2026-01-02',
    deep: { list: [1, 'a', { b: true }] },
  });
});

test('faults of all tasks come at once', async () => {
  const root = await folder({
    'a/task.toml': 'x = ',
    'b/task.toml': '[agent]\ntimeout_sec = "long"',
  });
  const error = await loadRows(configSchema.parse({ path: root }), undefined, never).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({
    code: 'taskset/load_failed',
    problems: [
      { file: join(root, 'a/task.toml'), line: 1 },
      { file: join(root, 'b/task.toml'), line: 2, path: 'agent.timeout_sec' },
    ],
  });
});

test('one task, a folder of tasks, a checkout with tasks/', async () => {
  const root = await folder({
    'many/b/task.toml': '',
    'many/a b/task.toml': '',
    'many/none/readme': '',
    'many/ü/task.toml': '',
    'checkout/tasks/x/task.toml': '',
  });
  const keys = async (path: string) => (await findTasks(join(root, path))).map(({ key }) => key);
  expect(await keys('many')).toEqual(['a b', 'b', 'ü']);
  expect(await keys('many/b')).toEqual(['b']);
  expect(await keys('checkout')).toEqual(['x']);
  await expect(findTasks(join(root, 'many/none'))).rejects.toThrow('holds no folder');
  await expect(findTasks(join(root, 'nowhere'))).rejects.toThrow('is no folder');
});

test('an npm package that ships tasks, found from where the run starts', async () => {
  const root = await folder({
    'node_modules/@org/set/package.json': '{"name":"@org/set"}',
    'node_modules/@org/set/tasks/x/task.toml': '',
  });
  const found = rootOf({ package: '@org/set' }, root);
  expect((await findTasks(found)).map(({ key }) => key)).toEqual(['x']);
  expect(rootOf({ package: '@org/set', path: 'tasks' }, root)).toMatch(/@org\/set\/tasks$/);
  expect(() => rootOf({ package: '@org/none' }, root)).toThrow('is not installed');
  expect(() => rootOf({}, root)).toThrow('no place of tasks');
});

test('the digest follows every file of the task and nothing else', async () => {
  const dir = await folder(small);
  const before = await digestOf(dir);
  await mkdir(join(dir, 'tests/__pycache__'));
  await writeFile(join(dir, 'tests/__pycache__/x'), '1');
  await writeFile(join(dir, 'notes.txt'), '1');
  expect(await digestOf(dir)).toBe(before);
  await writeFile(join(dir, 'tests/data.txt'), '1');
  expect(await digestOf(dir)).not.toBe(before);
  const copy = await folder({});
  await cp(dir, copy, { recursive: true });
  expect(await digestOf(copy)).toBe(await digestOf(dir));
});

test('what cannot be sent to a box is told by name before anything is played', async () => {
  const dir = await folder({ ...small, 'solution/solve.sh': '', 'tests/deep/a.txt': '' });
  await symlink('deep/a.txt', join(dir, 'tests/within'));
  await taskIn(dir);
  await symlink('/etc', join(dir, 'tests/etc'));
  await symlink('../../elsewhere', join(dir, 'solution/up'));
  const odd = Buffer.from('tests/deep/\xe9.txt', 'latin1');
  await writeFile(Buffer.concat([Buffer.from(`${dir}/`), odd]), '');
  const read = await readTask(dir);
  const refused = 'refused' in read ? read.refused : [];
  const told = refused.map(({ file, message }) => `${file} ${message}`.replaceAll(`${dir}/`, ''));
  expect(told.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'solution/up is a link out of solution, to ../../elsewhere, which a box does not have',
    'tests/deep/\ufffd.txt its name is no UTF-8',
    'tests/etc is a link out of tests, to /etc, which a box does not have',
  ]);
  await writeFile(join(dir, 'tests/.harborignore'), 'etc\ndeep/\n');
  await writeFile(join(dir, 'solution/.harborignore'), 'up\n');
  await taskIn(dir);
});
