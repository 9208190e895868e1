import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { TreeOptions } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { isMissing, isWithin } from './contained.ts';

interface CopyOptions extends TreeOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a tree into `to`, beside what is there; a single file is put into it under its name. Modes and links are
 * kept.
 * @throws VfError runtime/file_not_found; runtime/bad_archive for a link out of the tree, a socket or a device, unless
 * `options` say what becomes of them
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<void> {
  const stats = await statOrNull(from);
  if (stats === null) throw new VfError('runtime/file_not_found', `there is no ${from}`);
  if (!stats.isDirectory()) {
    await mkdir(to, { recursive: true });
    await copyEntry(dirname(from), from, join(to, basename(from)), stats, options);
    return;
  }
  await copyEntry(from, from, to, stats, options);
}

async function copyEntry(
  root: string,
  from: string,
  to: string,
  stats: Stats,
  options: CopyOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  if (stats.isDirectory()) return copyFolder(root, from, to, stats, options);
  await rm(to, { force: true });
  if (stats.isFile()) {
    await copyFile(from, to);
    return chmod(to, stats.mode & 0o7777);
  }
  if (stats.isSymbolicLink()) return copyLink(root, from, to, options);
  refuse(root, from, 'is neither file, folder nor link', options);
}

async function copyFolder(
  root: string,
  from: string,
  to: string,
  stats: Stats,
  options: CopyOptions,
): Promise<void> {
  const there = await statOrNull(to);
  // Never through a link: it may lead anywhere.
  if (there !== null && !there.isDirectory()) await rm(to, { force: true });
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const child = join(from, name);
    await copyEntry(root, child, join(to, name), await lstat(child), options);
  }
  // Last: a folder without write permission must first be filled.
  await chmod(to, stats.mode & 0o7777);
}

async function copyLink(
  root: string,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const target = await readlink(from);
  if (options.anyLink === true) return symlink(target, to);
  const leadsTo = resolve(dirname(from), target);
  if (!isWithin(root, leadsTo))
    return refuse(root, from, `is a link out of it, to ${target}`, options);
  // Relative, so that it leads to the copy.
  await symlink(relative(dirname(from), leadsTo) || '.', to);
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** @throws VfError runtime/bad_archive unless such things are left out */
function refuse(root: string, path: string, why: string, { leftOut }: CopyOptions): void {
  const inside = relative(root, path);
  const message = `${inside} in ${root} ${why}`;
  if (leftOut === undefined)
    throw new VfError('runtime/bad_archive', message, { retryable: false });
  leftOut(inside, message);
}
