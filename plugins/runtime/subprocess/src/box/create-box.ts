import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Box, BoxSpec } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { thisProcess } from '@vf/runtime-kit';
import type { Config } from '../config.ts';
import { defaultBoxesDir } from '../places.ts';
import { BoxFolder } from './box-folder.ts';
import { killAtExit } from './exit-hook.ts';
import { SubprocessBox } from './subprocess-box.ts';

/** @throws VfError misfit/plan for what only a container gives, runtime/boot_failed when there is no place for it */
export async function createBox(spec: BoxSpec<Config>, signal: AbortSignal): Promise<Box> {
  signal.throwIfAborted();
  refuseForeign(spec);
  const id = `box-${randomBytes(8).toString('hex')}`;
  const folder = new BoxFolder(
    {
      version: 1,
      id,
      folder: baseFolder(spec.config.dir) + sep + id,
      labels: spec.labels,
      maker: thisProcess(),
      created: Date.now(),
    },
    spec.workdir,
  );
  const box = new SubprocessBox(id, folder, spec.env ?? {});
  killAtExit(box);
  return box;
}

function refuseForeign({ image, compose, user, network }: BoxSpec<Config>): void {
  const asked: string[] = [];
  if (image !== undefined) asked.push(`image ${image}`);
  if (compose !== undefined) asked.push(`compose set ${compose.files.join(', ')}`);
  if (user !== undefined) asked.push(`user ${user}`);
  if (network !== undefined && network.mode !== 'public')
    asked.push(`network policy ${network.mode}`);
  if (asked.length === 0) return;
  throw new VfError('misfit/plan', `runtime subprocess has no ${asked.join(', no ')}`, {
    hint: '--runtime docker',
    retryable: false,
  });
}

/** By what the config says; null: nothing. */
const bases = new Map<string | null, string>();

/** The real path of the folder that holds the boxes; private to this user. */
function baseFolder(dir: string | undefined): string {
  const known = bases.get(dir ?? null);
  if (known !== undefined) return known;
  const wanted = dir === undefined ? defaultBoxesDir() : resolve(dir);
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const real = realpathSync(wanted);
    if (dir === undefined && !isOurs(wanted)) throw new Error('it belongs to another user');
    bases.set(dir ?? null, real);
    return real;
  } catch (error) {
    const hint = 'name another folder: --runtime.dir PATH';
    throw toVfError(error, 'runtime/boot_failed', `no boxes can be made in ${wanted}`, hint);
  }
}

/** Others may write into the temp folder, and put a link or a folder of theirs there. */
function isOurs(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}
