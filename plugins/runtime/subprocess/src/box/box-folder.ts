import { mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { VfError, toVfError } from '@vf/core/errors';
import { removeTree } from '@vf/runtime-kit';
import { removeRecord, writeRecord } from '../leftovers/record.ts';
import type { BoxRecord } from '../leftovers/record.ts';

/**
 * The folder of a box with its workdir, home and temp folder. Made when its path is first asked for: a rollout
 * that runs no program touches no disk.
 */
export class BoxFolder {
  readonly path: string;
  readonly #record: BoxRecord;
  readonly #workdir: string;
  #made = false;

  /** @throws VfError runtime/boot_failed when `workdir` does not lie in the folder */
  constructor(record: BoxRecord, workdir?: string) {
    this.#record = record;
    this.path = record.folder;
    this.#workdir = workdir === undefined ? this.path + ownWorkdir : inside(this.path, workdir);
  }

  /** Is there anything to remove? */
  get made(): boolean {
    return this.#made;
  }

  get workdir(): string {
    return this.#make().#workdir;
  }

  get home(): string {
    return join(this.#make().path, 'home');
  }

  get tmp(): string {
    return join(this.#make().path, 'tmp');
  }

  async remove(): Promise<void> {
    if (!this.#made) return;
    await removeTree(this.path);
    removeRecord(this.#record.id);
  }

  /** Has sweeps leave it alone. */
  keep(): void {
    writeRecord({ ...this.#make().#record, kept: true });
  }

  removeSync(): void {
    if (!this.#made) return;
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
    removeRecord(this.#record.id);
  }

  #make(): this {
    if (this.#made) return this;
    try {
      // The record comes first: what is made after it can be found again.
      writeRecord(this.#record);
      this.#made = true;
      for (const folder of [join(this.path, 'home'), join(this.path, 'tmp'), this.#workdir]) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      }
      return this;
    } catch (error) {
      throw toVfError(error, 'runtime/boot_failed', `no folder for the box at ${this.path}`);
    }
  }
}

const ownWorkdir = `${sep}work`;

function inside(folder: string, workdir: string): string {
  const path = resolve(folder, workdir);
  const way = relative(folder, path);
  if (!isAbsolute(workdir) && way !== '' && !way.startsWith('..')) return path;
  throw new VfError('runtime/boot_failed', `workdir ${workdir} is not within the folder of a box`, {
    hint: 'name a relative one, or run the task in a container: --runtime docker',
    retryable: false,
  });
}
