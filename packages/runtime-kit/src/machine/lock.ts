import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayBeAlive, thisProcess } from './maker.ts';
import type { Maker } from './maker.ts';

const pollMs = 50;

/**
 * Runs `work` while no other process of this machine does so under the same path. A lock whose owner is gone is
 * taken over.
 */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await take(path))) {
    await breakIfStale(path);
    await sleep(pollMs, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(thisProcess()), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function breakIfStale(path: string): Promise<void> {
  const owner = await ownerOf(path);
  if (owner === null || mayBeAlive(owner)) return;
  // Renamed first, so that of two who find it stale only one removes it.
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}

/** null while the lock is being written or has just been given back. */
async function ownerOf(path: string): Promise<Maker | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Maker;
  } catch {
    return null;
  }
}
