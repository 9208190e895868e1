import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { instant, say, startScriptedModel } from '@vf/testkit';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const bin = join(root, 'apps/eval/bin/vf.js');

/** Prints what has been loaded: files through the loader and `require`, then the built-in modules. */
const preload = `
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({ load(url, context, next) { files.push(url); return next(url, context); } });
  process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify([...files, ...process.moduleLoadList])));
`;

/** Everything that a command loads. */
async function loadedBy(cwd: string, ...args: string[]): Promise<readonly string[]> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, '--conditions=@vf/source', bin, ...args],
    { cwd, maxBuffer: 1 << 24 },
  );
  return JSON.parse(stderr.slice(stderr.indexOf('LOADED ') + 7)) as string[];
}

const packageOf = (url: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];

test('help loads no package beside vf itself', async () => {
  const loaded = await loadedBy(root, '--help');
  expect(loaded.some((url) => url.endsWith('/apps/eval/src/index.ts'))).toBe(true);
  expect(loaded.flatMap((url) => packageOf(url) ?? [])).toEqual([]);
});

test('listing plugins loads no zod and no plugin', async () => {
  const loaded = await loadedBy(root, 'plugins', 'list');
  expect(loaded.some((url) => url.endsWith('/plugin-host/src/plugin-host.ts'))).toBe(true);
  expect(loaded.flatMap((url) => packageOf(url) ?? [])).not.toContain('zod');
  expect(loaded.filter((url) => /\/plugins\/(?:taskset|harness|runtime)\//.test(url))).toEqual([]);
});

test('a run loads neither fetch, nor the index of undici, nor what only mistakes and agents need', async () => {
  await using model = await startScriptedModel({ script: instant(say('4')) });
  const cwd = await mkdtemp(join(tmpdir(), 'vf-loads-'));
  const taskset = join(root, 'examples/addition/addition.ts');
  const provider = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  const loaded = await loadedBy(cwd, 'eval', taskset, '-n', '1', '-q', ...provider);
  await rm(cwd, { recursive: true });
  expect(model.turns).toHaveLength(1);
  const packages = new Set(loaded.flatMap((url) => packageOf(url) ?? []));
  expect(packages).toContain('undici');
  expect(packages).not.toContain('toml-eslint-parser');
  expect(packages).not.toContain('@modelcontextprotocol/sdk');
  expect(loaded.some((url) => url.endsWith('/undici/index.js'))).toBe(false);
  expect(loaded.filter((name) => name.includes('deps/undici'))).toEqual([]);
});
