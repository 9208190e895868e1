import type { ProgramResult, RuntimeApi } from '@vf/core';
import { expect, test } from 'vitest';
import { asUser } from '../src/as-user.ts';

/** Notes what is done in it, and as whom. */
function notingBox(done: string[]): RuntimeApi {
  const ended: ProgramResult = {
    exitCode: 0,
    signal: null,
    stdout: '',
    stderr: '',
    truncated: false,
    timedOut: false,
    oomKilled: false,
    durationMs: 0,
  };
  const refuse = () => Promise.reject(new Error('is not asked for here'));
  return {
    id: 'box',
    workdir: '/app',
    home: '/home/vf',
    platform: { os: 'linux', arch: 'x64', libc: null },
    run: async (argv, options) => {
      done.push(`${options?.user ?? 'nobody'}: ${argv.join(' ')}`);
      return ended;
    },
    write: async (path) => void done.push(`write ${path}`),
    upload: async (_from, path) => void done.push(`upload ${path}`),
    spawn: refuse,
    read: refuse,
    download: refuse,
    toolbox: refuse,
  };
}

test('folders on the way to a file are made by the user, so that more can be put there', async () => {
  const done: string[] = [];
  const { signal } = new AbortController();
  const box = await asUser(notingBox(done), 'writer', signal);
  done.length = 0;
  await box.write('notes/today', 'x');
  await box.upload('/tmp/tree', `${box.home}/tools/tree`);
  expect(done).toEqual([
    'writer: mkdir -p /app/notes',
    'write notes/today',
    '0: chown -R writer notes/today',
    'writer: mkdir -p /home/vf-writer/tools',
    `upload ${box.home}/tools/tree`,
    `0: chown -R writer ${box.home}/tools/tree`,
  ]);
});
