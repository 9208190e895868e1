import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VfError } from '@vf/core/errors';
import type { ErrorCode } from '@vf/core/errors';
import { describe, expect, test } from 'vitest';
import { parseRef, PluginHost } from '../src/index.ts';
import { TestProject } from './project.ts';

const { signal } = new AbortController();

async function refusal(work: Promise<unknown>): Promise<VfError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error;
}

describe.each(['npm', 'pnpm'] as const)('in %s’s layout', (layout) => {
  test('a direct dependency’s plugin is listed and loaded', async () => {
    const project = new TestProject(layout);
    project.install('vf-taskset-sql', { version: '0.3.1' });
    project.install('@acme/vf-taskset-graph', {});
    expect(project.host().list()).toMatchObject([
      {
        kind: 'taskset',
        id: 'sql',
        package: 'vf-taskset-sql',
        version: '0.3.1',
        from: 'project',
        state: 'ok',
      },
      { id: 'graph', package: '@acme/vf-taskset-graph' },
    ]);
    expect(await project.host().load('taskset', 'sql', signal)).toMatchObject({
      id: 'sql',
      package: 'vf-taskset-sql',
      version: '0.3.1',
      value: { kind: 'taskset' },
    });
  });

  test('a plugin that another asks for as a peer is found, once', async () => {
    const project = new TestProject(layout);
    const peers = ['vf-taskset-peer', 'vf-taskset-own', 'vf-taskset-away'];
    project.install('vf-taskset-asks', { peers });
    project.install('vf-taskset-own');
    project.place('vf-taskset-peer', { peers: ['vf-taskset-deeper'] });
    project.place('vf-taskset-deeper', {});
    expect(project.host().list()).toMatchObject([{ id: 'asks' }, { id: 'own' }, { id: 'peer' }]);
    expect(await project.host().load('taskset', 'peer', signal)).toMatchObject({ id: 'peer' });
  });

  test('what is in node_modules and no direct dependency is not found', async () => {
    const project = new TestProject(layout);
    project.place('vf-taskset-hidden', {});
    expect(project.host().list()).toEqual([]);
    expect((await refusal(project.host().load('taskset', 'hidden', signal))).code).toBe(
      'plugin/unknown',
    );
  });
});

test('listing imports nothing, and only what is asked for is imported', async () => {
  const project = new TestProject();
  project.install('vf-taskset-loud', { code: 'throw new Error("imported")' });
  project.install('vf-taskset-quiet');
  expect(project.host().list()).toHaveLength(2);
  await project.host().load('taskset', 'quiet', signal);
  const error = await refusal(project.host().load('taskset', 'loud', signal));
  expect(error).toMatchObject({
    code: 'plugin/load_failed',
    message: expect.stringContaining('vf-taskset-loud@1.0.0 could not be imported: imported'),
  });
});

test('the workspace root’s dependencies count, from any folder below', async () => {
  const project = new TestProject();
  project.install('vf-taskset-sql');
  project.write('project/pnpm-workspace.yaml', 'packages: [packages/*]');
  project.write('project/packages/a/package.json', '{"name":"a"}');
  project.write('project/packages/a/deep/file', '');
  const host = project.host(join(project.dir, 'packages/a/deep'));
  expect(host.list().map(({ id }) => id)).toEqual(['sql']);
});

test('what the CLI brings is there, and the project’s own wins over it', async () => {
  const project = new TestProject();
  project.install('@vf/taskset-sql', { version: '1.0.0', vf: sql }, 'vf');
  expect((await project.host().load('taskset', 'sql', signal)).package).toBe('@vf/taskset-sql');
  project.install('vf-taskset-sql', { version: '2.0.0' });
  expect((await project.host().load('taskset', 'sql', signal)).package).toBe('vf-taskset-sql');
  expect(
    project
      .host()
      .list()
      .map(({ state }) => state),
  ).toEqual(['ok', 'hidden by vf-taskset-sql']);
});

test('the workspace around an installed vf is its user’s: it brings nothing of it', () => {
  const project = new TestProject();
  project.write('vf/pnpm-workspace.yaml', 'packages: []');
  project.install('vf-taskset-sql', {}, 'vf');
  const places = ['vf/node_modules/@vf/eval', 'vf/apps/eval'] as const;
  for (const place of places) project.write(`${place}/package.json`, '{"name":"@vf/eval"}');
  const seen = places.map((place) => {
    const vfDir = join(project.dir, '..', place);
    return new PluginHost({ cwd: project.dir, vfDir }).list().map(({ id, from }) => [id, from]);
  });
  expect(seen).toEqual([[], [['sql', 'cli']]]);
});

test('a package may be named in full, in its own folder too', async () => {
  const project = new TestProject();
  project.write(
    'project/package.json',
    JSON.stringify({ name: 'vf-taskset-own', version: '2.0.0', vf: sql, exports: './index.js' }),
  );
  project.write('project/index.js', 'export default { kind: "taskset", specVersion: 1 };');
  const loaded = await project.host().load('taskset', 'vf-taskset-own#sql', signal);
  expect(loaded).toMatchObject({ id: 'sql', package: 'vf-taskset-own', version: '2.0.0' });
});

test('two packages of a project that bring one id are both named, with how to choose', async () => {
  const project = new TestProject();
  project.install('vf-taskset-sql', { version: '1.1.0' });
  project.install('@acme/evals', { vf: sql });
  expect(project.host().list()).toMatchObject([
    { state: 'also in @acme/evals: name it vf-taskset-sql#sql' },
    { state: 'also in vf-taskset-sql: name it @acme/evals#sql' },
  ]);
  const error = await refusal(project.host().load('taskset', 'sql', signal));
  expect(error.code).toBe('plugin/ambiguous');
  expect(error.message).toBe(
    'taskset "sql" is brought by vf-taskset-sql@1.1.0 and @acme/evals@1.0.0',
  );
  expect(error.hint).toBe('choose one: vf-taskset-sql#sql   or   @acme/evals#sql');
  expect((await project.host().load('taskset', '@acme/evals#sql', signal)).package).toBe(
    '@acme/evals',
  );
});

test.each([
  ['pnpm-lock.yaml', '', 'pnpm add -D vf-taskset-gsm9k'],
  ['yarn.lock', '', 'yarn add -D vf-taskset-gsm9k'],
  ['bun.lock', '', 'bun add -d vf-taskset-gsm9k'],
  ['package-lock.json', '{}', 'npm i -D vf-taskset-gsm9k'],
  ['README.md', '', 'npm i -D vf-taskset-gsm9k'],
])(
  'an unknown id names the nearest, where was looked, and how to install (%s)',
  async (file, text, command) => {
    const project = new TestProject();
    project.install('vf-taskset-gsm8k');
    project.write(`project/${file}`, text);
    const error = await refusal(project.host().load('taskset', 'gsm9k', signal));
    expect(error.message).toBe(
      'no taskset "gsm9k"; nearest: gsm8k. Looked in: acme-evals (package.json), vf itself',
    );
    expect(error.hint).toBe(`vf eval gsm8k    or, if it is a package: ${command}`);
  },
);

test('one of vf’s own that is not installed is named by its package', async () => {
  const error = await refusal(new TestProject().host().load('harness', 'codex', signal));
  expect(error.hint).toContain('npm i -D @vf/harness-codex');
});

test.each<[string, unknown, RegExp]>([
  ['no contributes', { manifest: 1 }, /contributes/],
  [
    'another manifest version',
    { manifest: 2, contributes: [{ kind: 'taskset', id: 'x' }] },
    /manifest/,
  ],
  ['an unknown kind', { manifest: 1, contributes: [{ kind: 'judge', id: 'x' }] }, /kind/],
  ['an odd id', { manifest: 1, contributes: [{ kind: 'taskset', id: 'Ä!' }] }, /id/],
  [
    'an unknown key',
    { manifest: 1, contributes: [{ kind: 'taskset', id: 'x', entri: '.' }] },
    /entri/,
  ],
  ['text', 'yes', /expected object/],
])('a manifest with %s is a reported problem of that package alone', async (_what, vf, words) => {
  const project = new TestProject();
  project.install('vf-taskset-bad', { vf });
  project.install('vf-taskset-good');
  const [bad, good] = project.host().list();
  expect(bad).toMatchObject({
    package: 'vf-taskset-bad',
    kind: null,
    state: expect.stringMatching(words),
  });
  expect(good?.state).toBe('ok');
  const error = await refusal(project.host().load('taskset', 'bad', signal));
  expect(error.problems).toMatchObject([
    { message: expect.stringContaining('vf-taskset-bad@1.0.0 has a bad manifest') },
  ]);
  expect((await refusal(project.host().load('taskset', 'vf-taskset-bad#bad', signal))).code).toBe(
    'plugin/bad_manifest',
  );
});

test('a dependency whose package.json is not JSON breaks nothing', () => {
  const project = new TestProject();
  project.install('vf-taskset-good');
  project.install('broken');
  project.write('project/node_modules/broken/package.json', '{');
  expect(
    project
      .host()
      .list()
      .map(({ id }) => id),
  ).toEqual(['good']);
});

test('a range on @vf/core that is not met is refused before the import, with both versions', async () => {
  const project = new TestProject();
  project.install('vf-taskset-next', { core: '^2.0.0', code: 'throw new Error("imported")' });
  const version = coreVersion();
  const remedy = 'npm i -D @vf/eval@latest, or an older vf-taskset-next';
  expect(project.host().list()[0]?.state).toBe(
    `needs @vf/core ^2.0.0 (here ${version}): ${remedy}`,
  );
  const error = await refusal(project.host().load('taskset', 'next', signal));
  expect(error).toMatchObject({
    code: 'plugin/wrong_version',
    message: `vf-taskset-next@1.0.0 needs @vf/core ^2.0.0; this vf has ${version}`,
    hint: remedy,
  });
});

test.each(['^0.9.0', 'next'])(
  'a plugin whose range (%s) is behind is to be renewed',
  async (core) => {
    const project = new TestProject();
    project.install('vf-taskset-old', { core });
    project.write('project/pnpm-lock.yaml', '');
    const error = await refusal(project.host().load('taskset', 'old', signal));
    expect(error).toMatchObject({
      code: 'plugin/wrong_version',
      hint: 'pnpm add -D vf-taskset-old@latest',
    });
  },
);

test.each<[string, string, ErrorCode, RegExp]>([
  ['nothing', 'export const x = 1;', 'plugin/load_failed', /is no plugin, not a taskset/],
  [
    'another kind',
    'export default { kind: "harness", specVersion: 1 };',
    'plugin/load_failed',
    /is a harness, not a taskset/,
  ],
  [
    'another revision',
    'export default { kind: "taskset", specVersion: 2 };',
    'plugin/wrong_version',
    /revision 2 of the taskset contract; this vf knows 1/,
  ],
  [
    'another id',
    'export default { kind: "taskset", specVersion: 1, id: "other" };',
    'plugin/load_failed',
    /is called other/,
  ],
])('an entry that exports %s is refused', async (_what, code, expected, words) => {
  const project = new TestProject();
  project.install('vf-taskset-odd', { code });
  const error = await refusal(project.host().load('taskset', 'odd', signal));
  expect(error.code).toBe(expected);
  expect(error.message).toMatch(words);
});

test('an entry that the package does not export is named', async () => {
  const project = new TestProject();
  project.install('vf-taskset-odd', {
    vf: { manifest: 1, contributes: [{ kind: 'taskset', id: 'odd', entry: './sql' }] },
  });
  expect((await refusal(project.host().load('taskset', 'odd', signal))).message).toBe(
    'vf-taskset-odd@1.0.0 exports nothing at ./sql',
  );
});

test('a package may bring several, each from its own entry', async () => {
  const project = new TestProject();
  const exports = { '.': './index.js', './b': './b.js' };
  project.install('vf-pack', {
    exports,
    vf: {
      manifest: 1,
      contributes: [
        { kind: 'taskset', id: 'a' },
        { kind: 'taskset', id: 'b', entry: './b' },
      ],
    },
  });
  project.write(
    'project/node_modules/vf-pack/b.js',
    'export default { kind: "taskset", specVersion: 1, spec: { name: "b" } };',
  );
  expect((await project.host().load('taskset', 'b', signal)).value).toMatchObject({
    spec: { name: 'b' },
  });
});

test('a taskset as a path needs no project: @vf/core and zod come from vf', async () => {
  const project = new TestProject();
  project.write(
    'sums.ts',
    `import { defineTaskset, z } from '@vf/core';
import * as zod from 'zod';
const data: unknown = z.object({ a: zod.number() });
export default defineTaskset({ name: typeof data, load: () => [] });`,
  );
  const { stdout } = await loadedApart(join(project.dir, '..'), './sums.ts');
  expect(JSON.parse(stdout)).toMatchObject({
    id: 'sums',
    package: null,
    value: { kind: 'taskset', spec: { name: 'object' } },
  });
});

test.each([undefined, 'commonjs', 'module'])(
  'a taskset as a path and what it imports are ES modules in a package of type %s',
  async (type) => {
    const project = new TestProject();
    project.write('project/package.json', JSON.stringify({ name: 'evals', type }));
    project.write(
      'project/sums.ts',
      `import { load } from './lib/rows.ts';
export default { kind: 'taskset', specVersion: 1, spec: { name: import.meta.filename, load } };`,
    );
    project.write(
      'project/lib/rows.ts',
      `import { first } from '../first.ts';
export const load = (): object[] => [first];`,
    );
    project.write('project/first.ts', 'export const first: object = { prompt: "x" };');
    symlinkSync(project.dir, join(project.dir, '../link'));
    const { stdout, stderr } = await loadedApart(join(project.dir, '../link'), './sums.ts');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'sums', value: { kind: 'taskset' } });
  },
);

test('JavaScript with imports in a CommonJS package is told how to be called', async () => {
  const project = new TestProject();
  project.write('project/package.json', JSON.stringify({ name: 'evals', type: 'commonjs' }));
  project.write('project/sums.js', "import { z } from '@vf/core';\nexport default z;");
  await expect(loadedApart(project.dir, './sums.js')).rejects.toThrow(
    'call it sums.mjs, or set "type": "module" in its package.json',
  );
});

/** Loads a taskset in a process of its own: vitest resolves what a test imports by itself, and no hook sees it. */
function loadedApart(cwd: string, path: string): Promise<{ stdout: string; stderr: string }> {
  const program = `
    import { PluginHost } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))};
    const host = new PluginHost({ cwd: ${JSON.stringify(cwd)}, vfDir: ${JSON.stringify(join(import.meta.dirname, '..'))} });
    const loaded = await host.load('taskset', ${JSON.stringify(path)}, new AbortController().signal);
    console.log(JSON.stringify(loaded));`;
  return promisify(execFile)(
    process.execPath,
    ['--conditions=@vf/source', '--input-type=module', '-e', program],
    { cwd },
  );
}

test('a path that is not there is named whole', async () => {
  const project = new TestProject();
  expect((await refusal(project.host().load('taskset', './nowhere.ts', signal))).message).toBe(
    `there is no file ${join(project.dir, 'nowhere.ts')}`,
  );
});

test.each([
  ['codex', { type: 'id', id: 'codex' }],
  ['@acme/vf-taskset-sql#sql', { type: 'pinned', package: '@acme/vf-taskset-sql', id: 'sql' }],
  ['./sql.ts', { type: 'path', path: './sql.ts' }],
  ['../a', { type: 'path', path: '../a' }],
  ['sums.ts', { type: 'path', path: 'sums.ts' }],
  ['/x/y', { type: 'path', path: '/x/y' }],
])('%s is read as %o', (ref, expected) => {
  expect(parseRef(ref)).toEqual(expected);
});

const sql = { manifest: 1, contributes: [{ kind: 'taskset', id: 'sql' }] };

function coreVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../core/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
