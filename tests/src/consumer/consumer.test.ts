import { realpathSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { textOf } from '@vf/core/trace';
import { callTool, say, startScriptedModel } from '@vf/testkit';
import type { ScriptFunction, ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, exec } from './exec.ts';
import type { Ended } from './exec.ts';
import { packWorkspace } from './pack-workspace.ts';
import { startRegistry } from './registry.ts';
import type { Registry } from './registry.ts';

const cities = resolve(import.meta.dirname, '../../fixtures/consumer/vf-taskset-cities');
const harborTasks = resolve(import.meta.dirname, '../../../plugins/taskset/harbor/fixtures');
const wanted = ['@vf/eval', '@vf/harness-codex', '@acme/vf-taskset-cities'];
/** Without the program of the agent, which is installed once per machine. */
const mostBytes = 40e6;

/** Two busy cores take their time to build and install; a hang is still found. */
const longest = 900_000;

let place: string;
let registry: Registry;
let model: ScriptedModel;
/** Node by its major version. */
let nodes: Readonly<Record<string, string>>;
const closing: (() => PromiseLike<unknown>)[] = [];

beforeAll(async () => {
  place = realpathSync(await mkdtemp(join(tmpdir(), 'vf-consumer-')));
  closing.push(() => rm(place, { recursive: true, force: true }));
  await Promise.all(['packs', 'registry'].map((name) => mkdir(join(place, name))));
  registry = await startRegistry(join(place, 'registry'));
  closing.push(() => registry[Symbol.asyncDispose]());
  model = await startScriptedModel({ script: answer });
  closing.push(() => model.close());
  await exec('npm', ['pack', '--pack-destination', join(place, 'packs')], { cwd: cities });
  const packed = await packWorkspace(
    ['@vf/eval', '@vf/harness-codex', '@vf/runtime-docker', '@vf/taskset-harbor', '@vf/testkit'],
    join(place, 'packs'),
  );
  await Promise.all(packed.map((tarball) => registry.publish(tarball)));
  nodes = { 22: await installNode('22'), 24: await installNode('24'), 26: process.execPath };
}, longest);
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** @returns the program of that major version */
async function installNode(major: string): Promise<string> {
  const prefix = join(place, `node${major}`);
  await mkdir(prefix);
  await exec('npm', ['install', '--no-audit', '--prefix', prefix, `node@${major}`]);
  return join(prefix, 'node_modules/node/bin/node');
}

/** Looks the country up where there is a tool for it, and passes on what it is told. */
const answer: ScriptFunction = ({ messages, tools }) => {
  const asked = messages.map(({ content }) => textOf(content ?? '')).join('\n');
  const country = /capital of (\w+)/.exec(asked)?.[1] ?? '';
  const last = messages.at(-1);
  if (last?.role === 'tool') return say(`It is ${textOf(last.content)}.`);
  const tool = tools.find(({ name }) => /(^|_)lookup$/.test(name));
  if (tool === undefined) return say('4');
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return callTool(tool.name, { word: country }, namespace);
};

/** The installed vf, run by a Node of this version. */
function vf(
  major: string,
  project: string,
  args: readonly string[],
  cwd = project,
): Promise<Ended> {
  const bin = join(project, 'node_modules/@vf/eval/bin/vf.js');
  return ended(nodes[major] ?? '', [bin, ...args], { cwd, env: { VF_CONFIG: '' } });
}

const playing = (): string[] => ['-m', 'scripted', '--base-url', `${model.url}/v1`, '-q'];

describe.each([
  { manager: 'npm', add: ['install', '--no-audit', '--no-fund'], missing: 'npm i -D' },
  { manager: 'pnpm', add: ['add'], missing: 'pnpm add -D' },
])('installed by $manager', ({ manager, add, missing }) => {
  let project: string;
  beforeAll(async () => {
    project = join(place, manager);
    await mkdir(project);
    // As `npm init -y` writes it.
    await writeFile(join(project, 'package.json'), '{"name":"evals","type":"commonjs"}');
    await writeFile(join(project, '.npmrc'), registry.npmrc);
    // What this test has published is younger than pnpm takes by itself.
    await writeFile(join(project, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 0\n');
    await exec(manager, [...add, ...wanted], { cwd: project });
  }, longest);

  test('it is small', async () => {
    const bytes = await sizeOf(join(project, 'node_modules'));
    process.stdout.write(`vf installed by ${manager}: ${(bytes / 1e6).toFixed(1)} MB\n`);
    expect(bytes).toBeLessThan(mostBytes);
  });

  test.each(['22', '24', '26'])('Node %s: lists what is there, each usable', async (major) => {
    const { stdout } = await vf(major, project, ['plugins', 'list', '--json']);
    const { plugins } = JSON.parse(stdout) as { readonly plugins: readonly object[] };
    expect(plugins).toContainEqual(
      expect.objectContaining({ id: 'cities', package: '@acme/vf-taskset-cities', state: 'ok' }),
    );
    expect(plugins).toContainEqual(
      expect.objectContaining({ id: 'codex', from: 'project', state: 'ok' }),
    );
    expect(plugins).not.toContainEqual(
      expect.objectContaining({ state: expect.not.stringMatching(/^ok$/) }),
    );
  });

  test.each(['22', '24', '26'])(
    'Node %s: one call plays the taskset, with its tool',
    async (major) => {
      const { code, stdout, stderr } = await vf(major, project, ['eval', 'cities', ...playing()]);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/named +1\.000/);
    },
  );

  test.each(['22', '26'])('Node %s: codex plays the taskset, with its tool', async (major) => {
    const args = ['eval', 'cities', '--harness', 'codex', '-n', '1', ...playing()];
    const { code, stdout, stderr } = await vf(major, project, args);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/named +1\.000/);
  });

  test.each([
    ['--harness', 'claude-code', '@vf/harness-claude-code'],
    ['--runtime', 'docker', '@vf/runtime-docker'],
    ['--environment', 'best-of-n', '@vf/environment-best-of-n'],
  ])('what is missing is named with what installs it: %s %s', async (flag, id, name) => {
    const args = ['eval', 'cities', flag, id, ...playing()];
    const { code, stderr } = await vf('26', project, args);
    expect(code).toBe(2);
    expect(stderr).toContain(`no ${flag.slice(2)} "${id}"`);
    expect(stderr).toContain(`${missing} ${name}`);
  });

  test.each(['22', '24', '26'])('Node %s: a taskset in and outside a project', async (major) => {
    const outside = await mkdtemp(join(tmpdir(), 'vf-outside-'));
    for (const folder of [outside, project]) {
      await writeFile(join(folder, 'sums.ts'), sums);
      const { code, stderr } = await vf(major, project, ['validate', './sums.ts'], folder);
      expect(code, stderr).toBe(0);
      expect(stderr).not.toContain('Warning');
    }
    await rm(outside, { recursive: true });
  });
});

describe('an author', () => {
  let project: string;
  beforeAll(async () => {
    project = join(place, 'author');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{"name":"author","private":true}');
    await writeFile(join(project, '.npmrc'), registry.npmrc);
    await exec('npm', ['install', '--no-audit', '--no-fund', '@vf/eval'], { cwd: project });
  }, longest);
  const doctor = (dir: string): Promise<Ended> => vf('26', project, ['plugins', 'doctor', dir]);

  test.each(['taskset', 'harness', 'environment'])(
    'writes a %s with vf init that tests, packs and is well as others get it',
    { timeout: longest },
    async (kind) => {
      const { code, stderr } = await vf('26', project, ['init', kind, '@acme/mine'], place);
      expect(code, stderr).toBe(0);
      const dir = join(place, `vf-${kind}-mine`);
      await writeFile(join(dir, '.npmrc'), registry.npmrc);
      await exec('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir });
      await exec('npm', ['test'], { cwd: dir });
      const packed = await exec('npm', ['pack', '--json', '--ignore-scripts'], { cwd: dir });
      expect(packed).toContain('dist/index.d.ts');
      const examined = await doctor(dir);
      expect(examined.code, examined.stdout).toBe(0);
      expect(examined.stdout).toContain(`${kind} mine: vf`);
    },
  );

  test('makes a package of Harbor tasks that tests and packs', { timeout: longest }, async () => {
    const args = ['init', 'taskset', '@acme/chores', '--from', 'harbor', harborTasks];
    const { code, stderr } = await vf('26', project, args, place);
    expect(code, stderr).toBe(0);
    const dir = join(place, 'vf-taskset-chores');
    await writeFile(join(dir, '.npmrc'), registry.npmrc);
    await exec('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir });
    expect(await exec('npm', ['test'], { cwd: dir })).toContain('taskset.test.ts');
    const packed = await exec('npm', ['pack', '--json', '--ignore-scripts'], { cwd: dir });
    expect(packed).toContain('tasks/two-steps/task.toml');
    // What its README types is there, and doctor plays it in a project that has only the package.
    const { stdout } = await vf('26', dir, ['plugins', 'list', '--json']);
    const { plugins } = JSON.parse(stdout) as { readonly plugins: readonly { id: string }[] };
    expect(plugins.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['chores', 'docker', 'codex']),
    );
    const examined = await doctor(dir);
    expect(examined.code, examined.stdout).toBe(0);
    expect(examined.stdout).toMatch(
      /taskset chores: (?:vf validate of one task is well|not played: no container engine)/,
    );
  });

  test('is told what a package lacks', { timeout: longest }, async () => {
    const dir = join(place, 'broken');
    await cp(cities, dir, { recursive: true });
    await writeFile(join(dir, '.npmrc'), registry.npmrc);
    await writeFile(join(dir, 'extra.ts'), 'export const extra: number = 1;');
    await appendFile(join(dir, 'index.js'), "export * as zod from 'zod';");
    const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as object;
    const examined = async (core: string): Promise<Ended> => {
      const broken = {
        ...manifest,
        files: ['index.js', 'extra.ts'],
        exports: { '.': { types: './index.d.ts', default: './index.js' } },
        peerDependencies: { '@vf/core': core },
      };
      await writeFile(join(dir, 'package.json'), JSON.stringify(broken));
      return doctor(dir);
    };
    // npm itself refuses a peer that is not there.
    const first = await examined('^9.0.0');
    expect(first.code, first.stdout).toBe(5);
    expect(first.stdout).toMatch(/problem {2}install[^]*@vf\/core/);
    const second = await examined('^1.0.0');
    expect(second.code, second.stdout).toBe(5);
    expect(second.stdout).toContain('exports names ./index.d.ts, which is not in the package');
    expect(second.stdout).toContain('extra.ts is TypeScript');
    expect(second.stdout).toContain('index.js imports zod, which package.json does not name');
    expect(second.stdout).toContain('taskset cities: vf validate of one task is well');
  });
});

const sums = `import { defineTaskset } from '@vf/core';
import * as z from 'zod';

export default defineTaskset({
  data: z.object({ answer: z.number() }),
  load: () => [{ prompt: 'What is 2 + 2?', answer: 4 }],
  validate: ({ task }) => ({ reply: String(task.answer) }),
  rewards: { right: ({ task, trace }) => Number(trace.lastReply === String(task.answer)) },
});
`;

/** Bytes on disk, links counted once. */
async function sizeOf(folder: string): Promise<number> {
  return Number((await exec('du', ['-sk', folder])).split('\t')[0]) * 1024;
}
