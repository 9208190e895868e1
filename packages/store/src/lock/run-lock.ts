import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { errnoOf, writeError } from '../files/disk-error.ts';
import { readText } from '../files/plain-file.ts';
import { files, pathIn } from '../folder/layout.ts';
import { processStart, unknownStart } from './process-start.ts';

/** Who writes a run; what `run.lock` holds. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** Tells the process from a later one with the same id. */
  readonly started: string;
  /** Different for each lock that was ever taken. */
  readonly token: string;
}

/** The right to write a run folder; one process has it at a time. */
export class RunLock {
  readonly #path: string;
  readonly #holder: LockHolder;

  private constructor(path: string, holder: LockHolder) {
    this.#path = path;
    this.#holder = holder;
  }

  /**
   * Takes the lock of a run folder, also from a process of this host that is gone.
   * @throws VfError store/locked, store/disk_full, store/not_writable
   */
  static async take(
    dir: string,
    owner: { readonly host?: string; readonly pid?: number } = {},
  ): Promise<RunLock> {
    const { host = hostname(), pid = process.pid } = owner;
    const holder = { host, pid, started: processStart(pid) ?? unknownStart, token: randomUUID() };
    const path = pathIn(dir, 'lock');
    await acquire(path, holder, dir);
    return new RunLock(path, holder);
  }

  /** Removes what processes of this host that were killed while they took the lock left beside it, as far as it can be read. */
  async tidy(): Promise<void> {
    const folder = dirname(this.#path);
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith(`${files.lock}.`) && name.endsWith('.part'),
    );
    for (const part of names.map((name) => join(folder, name))) {
      const holder = await readHolder(part).catch(() => null);
      if (holder !== null && holder !== nobody && !mayBeAlive(holder)) await rm(part);
    }
  }

  /** Frees the lock when it is still ours. */
  async release(): Promise<void> {
    const holder = await readHolder(this.#path);
    if (holder?.token === this.#holder.token) await rm(this.#path, { force: true });
  }
}

/** Who holds the lock of a run folder, dead or alive; null: nobody. */
export function lockHolder(dir: string): Promise<LockHolder | null> {
  return readHolder(pathIn(dir, 'lock'));
}

/** May the holder still be writing? Of a process on another host nobody here knows, so it may. */
export function mayBeAlive({ host, pid, started }: LockHolder): boolean {
  if (host !== hostname()) return true;
  const now = processStart(pid);
  if (now === null) return false;
  return now === started || now === unknownStart || started === unknownStart;
}

/**
 * A dead holder's lock is replaced under a guard, a second lock named by the dead one's token: of many
 * that see the same dead lock one gets the guard, and nobody replaces a lock that was taken meanwhile.
 */
async function acquire(path: string, holder: LockHolder, dir: string): Promise<void> {
  for (;;) {
    if (await placeNew(path, holder)) return;
    const other = await readHolder(path);
    if (other === null) continue;
    if (mayBeAlive(other)) throw locked(dir, other);
    const guard = `${path}.${other.token}`;
    await acquire(guard, holder, dir);
    try {
      if ((await readHolder(path))?.token !== other.token) continue;
      await replace(path, holder);
      return;
    } finally {
      await rm(guard, { force: true });
    }
  }
}

/** Makes the lock with its content in one step. @returns false when there is one already */
async function placeNew(path: string, holder: LockHolder): Promise<boolean> {
  const part = `${path}.${holder.token}.part`;
  try {
    await writeFile(part, JSON.stringify(holder), { flag: 'wx' });
    await link(part, path);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') return false;
    if (code !== null && withoutLinks.has(code)) return writeNew(path, holder);
    throw writeError(error, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** What file systems without hard links answer. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function writeNew(path: string, holder: LockHolder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw writeError(error, path);
  }
}

async function replace(path: string, holder: LockHolder): Promise<void> {
  const part = `${path}.${holder.token}.part`;
  try {
    await writeFile(part, JSON.stringify(holder));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw writeError(error, path);
  }
}

/** A lock that a power loss left without its content is nobody's. */
const nobody: LockHolder = { host: hostname(), pid: 0, started: '', token: 'unreadable' };

async function readHolder(path: string): Promise<LockHolder | null> {
  const text = await readText(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : nobody;
  } catch {
    return nobody;
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<keyof LockHolder, unknown>> = value;
  return (
    typeof fields.host === 'string' &&
    Number.isSafeInteger(fields.pid) &&
    typeof fields.started === 'string' &&
    typeof fields.token === 'string' &&
    /^[\w-]+$/.test(fields.token)
  );
}

function locked(dir: string, { host, pid }: LockHolder): VfError {
  const isHere = host === hostname();
  return new VfError('store/locked', `process ${pid} on ${host} writes ${dir}`, {
    hint: isHere
      ? `wait for it, or stop it (kill -INT ${pid}); vf show --follow reads along`
      : `when it is certain that this process has ended, remove ${pathIn(dir, 'lock')}`,
  });
}
