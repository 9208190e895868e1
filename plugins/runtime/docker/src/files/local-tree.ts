import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { badArchive, containedLink } from './links.ts';

/** One thing in a tree of this machine. */
export interface LocalEntry {
  /** Relative to the root, with slashes; empty for the root itself. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly mode: number;
  readonly size: number;
  readonly linkTarget: string;
}

interface TreeOptions {
  readonly start?: string;
  readonly anyLink?: boolean;
  readonly wanted?: (path: string) => boolean;
}

/**
 * Everything in a tree in a fixed order, each folder before what is in it.
 * @param options `start` within the root; `anyLink` keeps links as they are, wherever they lead; `wanted` leaves out
 * what it refuses, with all below it
 * @throws VfError runtime/bad_archive for a link out of the tree, a socket or a device
 */
export async function* localTree(
  root: string,
  options: TreeOptions = {},
  path = options.start ?? '',
): AsyncGenerator<LocalEntry> {
  const absolute = join(root, path);
  const stats = await lstat(absolute);
  const entry = await entryOf(root, path, stats, options);
  yield entry;
  if (entry.kind !== 'folder') return;
  for (const name of (await readdir(absolute)).sort()) {
    const child = path === '' ? name : `${path}/${name}`;
    if (options.wanted?.(child) !== false) yield* localTree(root, options, child);
  }
}

async function entryOf(
  root: string,
  path: string,
  stats: Stats,
  { anyLink = false }: TreeOptions,
): Promise<LocalEntry> {
  const absolute = join(root, path);
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { path, kind: 'folder', mode, size: 0, linkTarget: '' };
  if (stats.isFile()) return { path, kind: 'file', mode, size: stats.size, linkTarget: '' };
  if (!stats.isSymbolicLink()) throw badArchive(`${absolute} is neither file, folder nor link`);
  const target = await readlink(absolute);
  const linkTarget = anyLink ? target : containedLink(root, path, target);
  return { path, kind: 'link', mode, size: 0, linkTarget };
}
