import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ToolboxEntry } from '@vf/core';
import { cacheDir } from './machine/cache-dir.ts';
import { withLock } from './machine/lock.ts';
import { removeTree } from './machine/remove-tree.ts';

/** Where programs are installed once per machine. */
export function toolboxDir(): string {
  return join(cacheDir(), 'toolbox');
}

/**
 * The folder of an entry; filled when it is not there yet, once per machine however many processes ask. A fill that
 * fails or is killed leaves nothing that is taken for the entry.
 */
export async function toolboxFolder(entry: ToolboxEntry, signal: AbortSignal): Promise<string> {
  const folder = join(toolboxDir(), entry.key.replaceAll(/[^\w.@+-]/g, '-'));
  if (await exists(folder)) return folder;
  await withLock(`${folder}.lock`, signal, async () => {
    if (!(await exists(folder))) await fill(entry, folder, signal);
  });
  return folder;
}

async function fill(entry: ToolboxEntry, folder: string, signal: AbortSignal): Promise<void> {
  await removeAborted(folder);
  const fresh = `${folder}.filling-${randomUUID()}`;
  await mkdir(fresh, { recursive: true });
  try {
    await entry.fill(fresh, signal);
    await rename(fresh, folder);
  } catch (error) {
    await removeTree(fresh);
    throw error;
  }
}

/** What a killed process was filling; we hold the lock, so nobody is at it. */
async function removeAborted(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.filling-`;
  const names = await readdir(dirname(folder));
  const old = names.filter((name) => name.startsWith(prefix));
  await Promise.all(old.map((name) => removeTree(join(dirname(folder), name))));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
