import { createWriteStream } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { TreeOptions } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import type { Entry } from 'tar-stream';
import { extract } from 'tar-stream';
import { openArchive } from './archive.ts';
import { badArchive, containedLink } from './links.ts';

/**
 * Copies a tree of the box into a folder of this machine, beside what is there; a single file is put into it under its
 * name. Nothing is written outside the folder, whatever the archive says.
 * @throws VfError runtime/file_not_found; runtime/bad_archive for what must not leave a box, where it is not left out
 */
export async function fetchTree(
  container: Docker.Container,
  path: string,
  localDir: string,
  signal: AbortSignal | undefined,
  options: TreeOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  const archive = await openArchive(container, path, signal);
  const isFolder = archive.stat.kind === 'folder';
  const landing = new Landing(archive.path, resolve(localDir), isFolder, options);
  try {
    await landing.prepare();
    for await (const entry of archive.body.pipe(extract())) {
      signal?.throwIfAborted();
      await landing.add(entry);
      entry.resume();
    }
    await landing.finish();
  } finally {
    archive.body.destroy();
  }
}

const largestWhole = 1024 * 1024;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What a tree may hold that cannot be here; anything else that fails says something about this machine. */
function whyUnfit(error: unknown): string | null {
  if (VfError.isInstance(error)) return error.message;
  return hasCode(error, 'ENAMETOOLONG') ? 'its name is too long for this machine' : null;
}

/** What is kept must be read and removed again, whatever rights an agent left its owner; root needs none. */
function usable(mode: number, rights: number): number {
  return process.getuid?.() === 0 ? mode & 0o7777 : (mode & 0o7777) | rights;
}

/** Where an archive is taken apart. */
class Landing {
  readonly #source: string;
  readonly #target: string;
  readonly #isFolder: boolean;
  readonly #options: TreeOptions;
  /** Made at the end, so that nothing is ever written through one. */
  readonly #links = new Map<string, string>();
  /** The same as they stand in the box. */
  readonly #rawLinks = new Map<string, string>();
  readonly #modes = new Map<string, number>();
  /** Folders that are known to be some; forgotten whenever anything is removed or linked. */
  readonly #made = new Set<string>();

  constructor(source: string, target: string, isFolder: boolean, options: TreeOptions) {
    this.#source = source;
    this.#target = target;
    this.#isFolder = isFolder;
    this.#options = options;
  }

  async prepare(): Promise<void> {
    await mkdir(this.#target, { recursive: true });
  }

  async add(entry: Entry): Promise<void> {
    const path = this.#inner(entry.header.name);
    await this.#orLeaveOut(path, () => this.#add(entry, path));
  }

  async #orLeaveOut(path: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const why = whyUnfit(error);
      if (this.#options.leftOut === undefined || why === null) throw error;
      this.#options.leftOut(path, why);
    }
  }

  async #add(entry: Entry, path: string): Promise<void> {
    const { type, mode = 0o644, linkname } = entry.header;
    if (type === 'directory') return this.#folder(path, mode);
    if (type === 'symlink') return this.#link(path, linkname ?? '');
    if (type === 'file' || type === 'contiguous-file') return this.#file(entry, path, mode);
    if (type !== 'link')
      throw badArchive(`${path} in ${this.#source} is neither file, folder nor link`);
    await this.#sameAs(this.#inner(linkname ?? ''), path, mode);
  }

  /** Another name of something that came before, which may itself be a link, or have been left out. */
  async #sameAs(first: string, path: string, mode: number): Promise<void> {
    const target = this.#rawLinks.get(first);
    if (target !== undefined) return this.#link(path, target);
    const to = await this.#place(path);
    await copyFile(join(this.#target, first), to).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      throw badArchive(`${path} in ${this.#source} is another name of ${first}, which is not here`);
    });
    await chmod(to, this.#modeOf(mode, 0o600));
  }

  /** Most files are small and in the way of nothing; they take as few calls as can be. */
  async #file(entry: Entry, path: string, mode: number): Promise<void> {
    if (path === '') throw badArchive(`the archive of ${this.#source} has an entry without a name`);
    const to = join(this.#target, path);
    const isSmall = (entry.header.size ?? Infinity) <= largestWhole;
    await this.#ensureFolder(posix.dirname(path));
    if (!isSmall) {
      await pipeline(entry, createWriteStream(await this.#place(path), { flags: 'wx' }));
    } else {
      const bytes = await buffer(entry);
      await writeFile(to, bytes, { flag: 'wx' }).catch(async (error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
        await writeFile(await this.#place(path), bytes, { flag: 'wx' });
      });
    }
    await chmod(to, this.#modeOf(mode, 0o600));
  }

  async finish(): Promise<void> {
    this.#made.clear();
    for (const [path, target] of this.#links)
      await this.#orLeaveOut(path, async () => symlink(target, await this.#place(path)));
    // Last: a folder without write permission must first be filled.
    for (const [path, mode] of [...this.#modes].reverse())
      if (!this.#leadsThroughLink(path)) await chmod(join(this.#target, path), mode);
  }

  #modeOf(mode: number, rights: number): number {
    return this.#options.leftOut === undefined ? mode & 0o7777 : usable(mode, rights);
  }

  /** An archive may name a folder and then a link in its place. */
  #leadsThroughLink(path: string): boolean {
    return (
      this.#links.has(path) || (path.includes('/') && this.#leadsThroughLink(posix.dirname(path)))
    );
  }

  /** The archive's names start with the name of what was asked for. */
  #inner(name: string): string {
    const parts = posix
      .normalize(name)
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    if (name.startsWith('/') || parts.includes('..')) {
      throw badArchive(`${name} in the archive of ${this.#source} leads out of it`);
    }
    return parts.slice(this.#isFolder && this.#source !== '/' ? 1 : 0).join('/');
  }

  async #folder(path: string, mode: number): Promise<void> {
    await this.#ensureFolder(path);
    this.#modes.set(path, this.#modeOf(mode, 0o700));
  }

  #link(path: string, target: string): void {
    this.#rawLinks.set(path, target);
    const { anyLink = false } = this.#options;
    this.#links.set(path, anyLink ? target : containedLink(this.#source, path, target));
  }

  /** A free place, its folder made. */
  async #place(path: string): Promise<string> {
    if (path === '') throw badArchive(`the archive of ${this.#source} has an entry without a name`);
    await this.#ensureFolder(posix.dirname(path));
    const to = join(this.#target, path);
    await rm(to, { recursive: true, force: true });
    this.#made.clear();
    return to;
  }

  /** Makes folders down from the target; a link or file that waits there gives way. */
  async #ensureFolder(path: string): Promise<void> {
    if (path === '' || path === '.' || this.#made.has(path)) return;
    const absolute = join(this.#target, path);
    await this.#ensureFolder(posix.dirname(path));
    const stats = await lstat(absolute).catch(() => null);
    if (stats?.isDirectory() !== true) {
      await rm(absolute, { force: true });
      await mkdir(absolute, { recursive: true });
    }
    this.#made.add(path);
  }
}
