import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VfError } from '@vf/core/errors';

/** `-o -`: the export goes to stdout. */
export const standardOutput = '-';

/** Where an export goes: it is written beside its place and takes it when it is whole. */
export class Destination {
  /** As it was given. */
  readonly shown: string;
  /** null for stdout. */
  readonly path: string | null;
  readonly #scratch: string;

  /** @throws VfError usage/invalid for a folder that is there already, store/not_writable */
  constructor(given: string) {
    this.shown = given;
    this.path = given === standardOutput ? null : resolve(given);
    if (this.path !== null && isFolder(this.path)) {
      throw new VfError('usage/invalid', `${given} is a folder that is there already`, {
        hint: 'name a file or a new folder after -o',
      });
    }
    this.#scratch = scratchFolder(this.path, given);
  }

  /** Path that the exporter gets. */
  get part(): string {
    return join(this.#scratch, this.path === null ? 'export' : basename(this.path));
  }

  /** Path at which the diagnostics grow. */
  get diagnosticsPart(): string {
    return join(this.#scratch, 'omitted.jsonl');
  }

  /** `train.jsonl` has its diagnostics in `train.diagnostics.jsonl`; stdout has none. */
  get diagnostics(): string | null {
    if (this.path === null) return null;
    const name = basename(this.path, extname(this.path));
    return join(dirname(this.path), `${name}.diagnostics.jsonl`);
  }

  /**
   * Puts the export in its place, and the diagnostics beside it; those of an earlier export go.
   * @throws VfError usage/invalid when a folder should go to stdout
   */
  async commit(hasDiagnostics: boolean): Promise<void> {
    if (this.path === null) return this.#print();
    await rename(this.part, this.path);
    const { diagnostics } = this;
    if (diagnostics === null) return;
    if (hasDiagnostics) await rename(this.diagnosticsPart, diagnostics);
    else await rm(diagnostics, { force: true });
  }

  async #print(): Promise<void> {
    if (isFolder(this.part)) {
      throw new VfError('usage/invalid', 'this export is a folder, which stdout cannot take', {
        hint: '-o PATH',
      });
    }
    await pipeline(createReadStream(this.part), process.stdout, { end: false });
  }

  /** Removes what is left of the writing; synchronous, so that it also works on the way out. */
  clear(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

function scratchFolder(path: string | null, given: string): string {
  try {
    if (path === null) return mkdtempSync(join(tmpdir(), 'vf-export-'));
    mkdirSync(dirname(path), { recursive: true });
    return mkdtempSync(join(dirname(path), `.${basename(path)}.`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new VfError('store/not_writable', `${given} cannot be written: ${reason}`, {
      cause: error,
      hint: 'name another path after -o',
    });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
