import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { configSchema } from '../src/config.ts';
import { loadRows } from '../src/load.ts';
import { FakeHub, tarGz } from './fake-hub.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');
const hello = join(fixtures, 'hello-file');
const steps = join(fixtures, 'two-steps');

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A cache of the test's own. */
async function freshCache(): Promise<string> {
  const dir = await folder();
  vi.stubEnv('VF_CACHE_DIR', dir);
  onTestFinished(() => void vi.unstubAllEnvs());
  return dir;
}

function load(config: Readonly<Record<string, unknown>>) {
  return loadRows(configSchema.parse(config), undefined, new AbortController().signal);
}

const keysOf = (rows: readonly { readonly key?: string }[]) => rows.map(({ key }) => key);

function git(dir: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', dir, ...identity, ...args], { encoding: 'utf8' }).trim();
}

/** A repository with one task in `tasks/` at first, a tag there, and a second task after it. */
async function repository() {
  const dir = await folder();
  git(dir, 'init', '-q', '-b', 'main');
  await cp(hello, join(dir, 'tasks/hello'), { recursive: true });
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'one');
  git(dir, 'tag', '-am', 'first', 'v1');
  const first = git(dir, 'rev-parse', 'HEAD');
  await cp(steps, join(dir, 'tasks/steps'), { recursive: true });
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'two');
  return { dir, url: `file://${dir}`, first };
}

test('a git repository: HEAD, a branch, a tag, a commit, a folder of it', async () => {
  const cache = await freshCache();
  const { url, dir, first } = await repository();
  expect(keysOf(await load({ git: url }))).toEqual(['hello', 'steps']);
  expect(keysOf(await load({ git: url, ref: 'main', path: 'tasks/steps' }))).toEqual(['steps']);
  expect(keysOf(await load({ git: `${url}/tree/main/tasks/hello` }))).toEqual(['hello']);
  expect(keysOf(await load({ git: `${url}@v1` }))).toEqual(['hello']);
  const [row] = await load({ git: url, ref: first });
  expect(row?.dir.startsWith(join(cache, 'harbor/git', first))).toBe(true);
  await rm(dir, { recursive: true });
  expect(keysOf(await load({ git: url, ref: first }))).toEqual(['hello']);
});

test('what a killed process left of a checkout goes with the next try, and no other', async () => {
  const cache = await freshCache();
  const { url, first } = await repository();
  const [row] = await load({ git: url, ref: first });
  const [commit = ''] = await readdir(join(cache, 'harbor/git'));
  const of = (name: string): string => join(cache, 'harbor/git', name);
  await rename(of(commit), of(`${commit}.killed.part`));
  await mkdir(of('another.killed.part'));
  const [again] = await load({ git: url, ref: first });
  expect(again?.dir).toBe(row?.dir);
  const left = (await readdir(join(cache, 'harbor/git'))).filter((name) => name.endsWith('.part'));
  expect(left).toEqual(['another.killed.part']);
});

test('a repository that cannot be had, and a ref that it has not', async () => {
  await freshCache();
  const { url } = await repository();
  await expect(load({ git: url, ref: 'v9' })).rejects.toThrow(`${url} has no branch or tag v9`);
  const gone = load({ git: 'file:///nowhere/tasks.git' });
  await expect(gone).rejects.toThrow(
    /file:\/\/\/nowhere\/tasks.git cannot be asked for HEAD: fatal/,
  );
  const commit = load({ git: url, ref: '1'.repeat(40) });
  await expect(commit).rejects.toThrow(/111111111111 of file:.* cannot be fetched/);
});

test('a repository’s own registry.json names its commit and folders', async () => {
  await freshCache();
  const { dir, url } = await repository();
  const tasks = [{ name: 'greet', path: 'tasks/hello' }];
  await writeFile(
    join(dir, 'registry.json'),
    JSON.stringify([{ name: 'set', version: '1', tasks }]),
  );
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'registry');
  expect(keysOf(await load({ git: url, dataset: 'set' }))).toEqual(['greet']);
  const other = load({ git: url, dataset: 'sett' });
  await expect(other).rejects.toMatchObject({ hint: 'nearest: set' });
});

test('a registry.json: newest version, commits, repositories, folders of this machine', async () => {
  await freshCache();
  const { url, first } = await repository();
  const file = join(await folder(), 'registry.json');
  const dataset = (version: string, tasks: readonly object[]) => ({ name: 'set', version, tasks });
  const atFirst = { name: 'a', git_url: url, git_commit_id: first, path: 'tasks/hello' };
  const atHead = { name: 'b', git_url: url, git_commit_id: 'HEAD', path: 'tasks/steps' };
  const here = { name: 'c', path: hello };
  const all = [
    dataset('1.9', [atFirst]),
    dataset('1.10', [atFirst, atHead, here, atFirst]),
    dataset('odd', []),
  ];
  await writeFile(file, JSON.stringify(all));
  const rows = await load({ registry: file, dataset: 'set' });
  expect(rows.map(({ key, dir }) => [key, basename(dir)])).toEqual([
    ['a', 'hello'],
    ['b', 'steps'],
    ['c', 'hello-file'],
  ]);
  expect(keysOf(await load({ registry: file, dataset: 'set@1.9' }))).toEqual(['a']);
  expect(keysOf(await load({ registry: file, dataset: 'set', tasks: ['b'] }))).toEqual(['b']);
  await expect(load({ registry: file, dataset: 'set@2' })).rejects.toMatchObject({
    message: expect.stringContaining('has no set@2'),
    hint: 'its versions: 1.9, 1.10, odd',
  });
});

test('a registry.json over HTTP, and all that is wrong with one', async () => {
  await freshCache();
  const tasks = [{ name: 'a', git_url: 'x', path: '../up' }, { path: 1 }];
  const server = createServer((_request, response) =>
    response.end(JSON.stringify([{ name: 'set', version: '1', tasks }])),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry.json`;
  await expect(load({ registry: url, dataset: 'set' })).rejects.toMatchObject({
    problems: [
      { file: url, path: '0.tasks.0.path', message: 'must be a path within the repository' },
      { file: url, path: '0.tasks.1.name' },
      { file: url, path: '0.tasks.1.path' },
    ],
  });
  const missing = load({ registry: '/nowhere.json', dataset: 'set' });
  await expect(missing).rejects.toThrow('/nowhere.json cannot be read');
});

test('a dataset of the hub: downloaded once, checked each time', async () => {
  const cache = await freshCache();
  await using hub = await FakeHub.start({
    tasks: { 'acme/hello-file': hello, 'acme/two-steps': steps },
    datasets: { 'acme/set': ['acme/hello-file', 'acme/two-steps'] },
  });
  const config = { hubUrl: hub.url, dataset: 'acme/set' };
  const rows = await load(config);
  expect(keysOf(rows)).toEqual(['hello-file', 'two-steps']);
  const dir = rows[0]?.dir ?? '';
  expect(dir).toBe(join(cache, 'harbor/packages/acme/hello-file', rows[0]?.digest ?? ''));
  const archives = () => hub.asked.filter((line) => line.includes('/storage/')).length;
  expect(archives()).toBe(2);
  await load({ ...config, dataset: 'acme/set@1' });
  expect(archives()).toBe(2);
  await appendFile(join(dir, 'tests/test.sh'), 'echo 1 > /logs/verifier/reward.txt\n');
  expect((await load(config))[0]?.digest).toBe(rows[0]?.digest);
  expect(archives()).toBe(3);
  expect(keysOf(await load({ ...config, dataset: 'acme/two-steps' }))).toEqual(['two-steps']);
});

test('a numbered version of the hub is there without the hub, a tag is not', async () => {
  await freshCache();
  let url = '';
  {
    await using hub = await FakeHub.start({
      tasks: { 'acme/hello-file': hello },
      datasets: { 'acme/set': ['acme/hello-file'] },
    });
    url = hub.url;
    await load({ hubUrl: url, dataset: 'acme/set@1' });
  }
  expect(keysOf(await load({ hubUrl: url, dataset: 'acme/set@1' }))).toEqual(['hello-file']);
  await expect(load({ hubUrl: url, dataset: 'acme/set' })).rejects.toThrow('cannot be reached');
}, 20_000);

test('archives that are not what the hub says, or lead out of their folder', async () => {
  await freshCache();
  await using hub = await FakeHub.start({ tasks: { 'acme/hello-file': hello } });
  const ask = () => load({ hubUrl: hub.url, dataset: 'acme/hello-file' });
  const nothing = Buffer.from('');
  const archives: readonly (readonly [Buffer, RegExp])[] = [
    [await tarGz([[{ name: 'task.toml' }, nothing]]), /its files have the digest/],
    [await tarGz([[{ name: '../up' }, nothing]]), /leads out of its folder: \.\.\/up/],
    [
      await tarGz([[{ name: 'link', type: 'symlink', linkname: '/etc' }, nothing]]),
      /holds link, which is a symlink/,
    ],
    [Buffer.from('no archive'), /cannot be unpacked/],
  ];
  for (const [archive, message] of archives) {
    hub.archives.set('acme/hello-file', archive);
    await expect(ask()).rejects.toThrow(message);
  }
  hub.archives.clear();
  expect(keysOf(await ask())).toEqual(['hello-file']);
});

test('a hub that is down for a moment, and what it has not', async () => {
  await freshCache();
  await using hub = await FakeHub.start({
    tasks: { 'acme/hello-file': hello },
    datasets: { 'acme/secret': [null] },
  });
  hub.failures.push(503);
  expect(keysOf(await load({ hubUrl: hub.url, dataset: 'acme/hello-file' }))).toEqual([
    'hello-file',
  ]);
  await expect(load({ hubUrl: hub.url, dataset: 'acme/none@v2' })).rejects.toThrow(
    'has no package acme/none@v2',
  );
  await expect(load({ hubUrl: hub.url, dataset: 'acme/secret' })).rejects.toThrow(
    '1 tasks of acme/secret@latest are not public',
  );
});

test('more tasks than the hub gives in one answer', async () => {
  await freshCache();
  const all = Array.from({ length: 1001 }, () => 'acme/hello-file');
  await using hub = await FakeHub.start({
    tasks: { 'acme/hello-file': hello },
    datasets: { 'acme/many': [...all, null] },
  });
  await expect(load({ hubUrl: hub.url, dataset: 'acme/many' })).rejects.toThrow('1 tasks of');
});

test('the older registry: newest version, tasks in repositories', async () => {
  await freshCache();
  const { url, first } = await repository();
  const task = { name: 'greet', git_url: url, git_commit_id: first, path: 'tasks/hello' };
  await using hub = await FakeHub.start({
    tasks: {},
    listed: { 'old-set@1.0': [], 'old-set@2.0': [task, task] },
  });
  expect(keysOf(await load({ hubUrl: hub.url, dataset: 'old-set' }))).toEqual(['greet']);
  await expect(load({ hubUrl: hub.url, dataset: 'new-set' })).rejects.toThrow('no dataset new-set');
  await expect(load({ hubUrl: hub.url, dataset: 'old-set@3' })).rejects.toThrow('old-set@3');
});

test('two places at once', async () => {
  const both = load({ git: 'a/b', package: 'c' });
  await expect(both).rejects.toThrow('git and package name two places');
  await expect(load({ path: '.', dataset: 'x' })).rejects.toThrow('path and dataset');
  await expect(load({ path: '.', ref: 'x' })).rejects.toThrow('ref is of a git repository');
  await expect(load({ registry: 'r.json' })).rejects.toThrow('several datasets');
});

test('names of tasks with letters of all kinds', async () => {
  const dir = await folder();
  for (const name of ['zürich 🏔', 'a b', '日本']) {
    await mkdir(join(dir, name));
    await cp(hello, join(dir, name), { recursive: true });
  }
  expect(keysOf(await load({ path: dir }))).toEqual(['a b', 'zürich 🏔', '日本']);
});
