import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hostProgram } from '../src/index.ts';
import { librariesIn } from '../src/toolbox/libraries.ts';
import { noRuntime, signal } from './loop-rig.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vf-libraries-test-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A toolbox that moves its folder once it is filled, as the real one does. */
const runtime: RuntimeApi = {
  ...noRuntime,
  platform: { os: 'linux', arch: process.arch, libc: null },
  async toolbox({ fill }, toolboxSignal) {
    const fresh = await mkdtemp(join(root, 'fresh-'));
    await fill(fresh, toolboxSignal);
    await rename(fresh, join(root, 'folder'));
    return join(root, 'folder');
  },
};

test('a program of this machine runs from its copy alone, with its libraries', async () => {
  const path = await hostProgram({ name: 'tmux' }, runtime, signal);
  expect(path).toBe(join(root, 'folder/bin/tmux'));
  expect(execFileSync(path ?? '', ['-V'], { encoding: 'utf8' })).toMatch(/^tmux \d/);
  // Nothing of this machine is loaded beside them.
  const lib = join(root, 'folder/lib');
  const loader = (await readdir(lib)).find((name) => name.startsWith('ld-')) ?? '';
  const list = ['--library-path', lib, '--list', join(root, 'folder/libexec/tmux')];
  const loaded = librariesIn(execFileSync(join(lib, loader), list, { encoding: 'utf8' }));
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter((library) => !library.startsWith(root))).toEqual([]);
});

test('a static program needs none, and files come beside it', async () => {
  const file = join(root, 'words');
  await writeFile(file, 'of wisdom');
  await writeFile(join(root, 'greet'), '#!/bin/sh\ncat "$WORDS"; echo " $1"\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${root}:${process.env['PATH'] ?? ''}`);
  const prelude = 'export WORDS="$root/share/words"\n';
  const path = await hostProgram(
    { name: 'greet', files: { [file]: 'share/words' }, prelude },
    runtime,
    signal,
  );
  expect(execFileSync(path ?? '', ['a b'], { encoding: 'utf8' })).toBe('of wisdom a b\n');
});

test('what is not on this machine, or does not run in the box, cannot be had', async () => {
  expect(await hostProgram({ name: 'no-such-program' }, runtime, signal)).toBeNull();
  const elsewhere = { ...runtime, platform: { os: 'linux', arch: 's390x', libc: null } } as const;
  expect(await hostProgram({ name: 'tmux' }, elsewhere, signal)).toBeNull();
  const blind = { ...runtime, toolbox: async () => null };
  expect(await hostProgram({ name: 'tmux' }, blind, signal)).toBeNull();
});

test('reads what ldd prints', () => {
  const list = `\tlinux-vdso.so.1 (0x00007f0000000000)
\tlibgone.so.1 => not found
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f0000000000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f0000000000)
`;
  expect(librariesIn(list)).toEqual([
    '/lib/x86_64-linux-gnu/libm.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
  expect(librariesIn('\tstatically linked\n')).toEqual([]);
});
