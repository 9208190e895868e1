import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@vf/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeBox } from './box.ts';

let root: string;
let box: Box;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vf-box-test-'));
  vi.stubEnv('VF_CACHE_DIR', join(root, 'cache'));
  box = await makeBox({ config: { dir: join(root, 'boxes') } });
});
afterEach(async () => {
  await box.stop();
  await rm(root, { recursive: true, force: true });
});

const running = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

describe('folder', () => {
  test('is made when it is first needed, and nothing is left after stop', async () => {
    expect(await readdir(join(root, 'boxes'))).toEqual([]);
    await box.write('a', 'b');
    expect(await readdir(join(root, 'boxes'))).toEqual([box.id]);
    expect(await readdir(join(root, 'cache/subprocess'))).toEqual([`${box.id}.json`]);
    await box.stop();
    expect(await readdir(join(root, 'boxes'))).toEqual([]);
    expect(await readdir(join(root, 'cache/subprocess'))).toEqual([]);
  });

  test('goes with folders that forbid writing', async () => {
    await box.run([
      'sh',
      '-c',
      'mkdir -p cache/deep && touch cache/deep/x && chmod 500 cache/deep cache',
    ]);
    await box.stop();
    expect(await readdir(join(root, 'boxes'))).toEqual([]);
  });

  test('holds the workdir that a task names, when it is a relative one', async () => {
    const other = await makeBox({ config: { dir: root }, workdir: 'src/app' });
    expect(other.workdir).toBe(join(root, other.id, 'src/app'));
    expect(existsSync(other.workdir)).toBe(true);
    await other.stop();
    for (const workdir of ['/app', '..', '.', 'a/../../b']) {
      const refused = { code: 'runtime/boot_failed', retryable: false };
      await expect(makeBox({ config: { dir: root }, workdir })).rejects.toMatchObject(refused);
    }
  });

  test('that cannot be made is a boot failure with a hint', async () => {
    await box.write('file', '');
    const dir = join(box.workdir, 'file', 'below');
    const refused = {
      code: 'runtime/boot_failed',
      hint: expect.stringContaining('--runtime.dir') as string,
    };
    await expect(makeBox({ config: { dir } })).rejects.toMatchObject(refused);
  });
});

test('what only a container gives is refused', async () => {
  const misfit = { code: 'misfit/plan', hint: '--runtime docker' };
  await expect(makeBox({ image: 'alpine' })).rejects.toMatchObject(misfit);
  await expect(makeBox({ compose: { files: ['/x.yaml'] }, user: 'me' })).rejects.toMatchObject(
    misfit,
  );
  await expect(box.run(['true'], { service: 'db' })).rejects.toMatchObject(misfit);
});

test('paths and links out of the folder are refused, also to files that are not there yet', async () => {
  const refused = { code: 'runtime/bad_archive' };
  await symlink('/etc', join(box.workdir, 'link'));
  await symlink(join(root, 'not-yet'), join(box.workdir, 'dangling'));
  await expect(box.read('link/hosts')).rejects.toMatchObject(refused);
  await expect(box.write('dangling', 'x')).rejects.toMatchObject(refused);
  await expect(box.write('../../escape', 'x')).rejects.toMatchObject(refused);
  await expect(box.upload(root, '/tmp/elsewhere')).rejects.toMatchObject(refused);
  await expect(box.download('link', join(root, 'out'))).rejects.toMatchObject(refused);
  expect(await readdir(root)).not.toContain('not-yet');
});

test('arguments that are too long give a hint', async () => {
  const error = { retryable: false, hint: expect.stringContaining('stdin') as string };
  await expect(box.run(['echo', 'x'.repeat(200_000)])).rejects.toMatchObject(error);
});

describe('stop', () => {
  const escape = (how: string): string => `${how} sh -c 'echo $$; exec sleep 600' & sleep 0.3`;

  test.each([
    ['left its session', 'setsid'],
    ['left its session and its environment', 'env -i setsid'],
  ])('ends a program that %s', async (_name, how) => {
    const { stdout } = await box.run(['sh', '-c', escape(how)]);
    const pid = Number(stdout.trim());
    expect(running(pid)).toBe(true);
    await box.stop();
    expect(running(pid)).toBe(false);
  });
});

test('a process that exits without stopping its boxes leaves no program', async () => {
  const script = `
    import { makeBox } from ${JSON.stringify(new URL('box.ts', import.meta.url).href)};
    const box = await makeBox({ config: { dir: ${JSON.stringify(root)} } });
    const { stdout } = await box.run(['sh', '-c', 'setsid sleep 600 & echo $!']);
    console.log(stdout.trim());
    process.exit(0);
  `;
  const args = ['--conditions=@vf/source', '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(Number(stdout.trim()), stderr).toBeGreaterThan(1);
  expect(running(Number(stdout.trim()))).toBe(false);
});
