import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { expect, onTestFinished, test } from 'vitest';
import { play } from './play.ts';
import { World, taskOf } from './world.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'vf-artifacts-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** A rollout whose box gives away what `download` brings, and what it kept. */
async function kept(artifact: object, download: RuntimeApi['download']) {
  const world = new World();
  const { runtime: plain } = world;
  const read = async (): Promise<never> => {
    throw new VfError('runtime/file_not_found', 'is a folder');
  };
  const create = async (...given: Parameters<typeof plain.create>): Promise<Box> =>
    Object.assign(await plain.create(...given), { download, read });
  const dir = await folder();
  const services = world.services({ artifactDir: () => dir });
  const task = taskOf({ artifacts: [{ source: '/app', ...artifact }] });
  const { trace } = await play(Object.assign(world, { runtime: { ...plain, create } }), {
    services,
    task,
  });
  return { trace, dir, log: world.log };
}

test('what of an artifact has no place here is left out, told, and no reason not to score', async () => {
  const { trace, log } = await kept({}, async (_path, to, _signal, options) => {
    await mkdir(to, { recursive: true });
    for (let i = 0; i < 30; i++) options?.leftOut?.(`p${i}`, `p${i} in /app is a pipe`);
  });
  expect(trace).toMatchObject({ ok: true, reward: 1 });
  const leftOut = Array.from({ length: 20 }, (_each, i) => `p${i} in /app is a pipe`);
  expect(trace?.info['artifacts']).toEqual({ kept: ['/app'], missing: [], leftOut });
  expect(log).toContain('warn: of the artifacts some things were not kept');
});

test('excluding follows no link of the agent’s', async () => {
  const mine = await folder();
  await writeFile(join(mine, 'a.pyc'), '');
  const { trace, dir } = await kept({ exclude: ['**/*.pyc'] }, async (_path, to) => {
    await mkdir(to, { recursive: true });
    await writeFile(join(to, 'b.pyc'), '');
    await symlink(mine, join(to, 'link'));
  });
  expect(trace?.errors).toEqual([]);
  expect(await readdir(join(dir, 'app'))).toEqual(['link']);
  expect(await readdir(mine)).toEqual(['a.pyc']);
});
