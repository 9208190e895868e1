import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
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
  /** null for stdout, and for a device or a pipe, which take bytes and no place. */
  readonly path: string | null;
  readonly #open: () => NodeJS.WritableStream;
  readonly #scratch: string;

  /** @throws VfError usage/invalid for a folder that is there already, store/not_writable */
  constructor(given: string) {
    this.shown = given;
    const isDevice = given !== standardOutput && kindOf(given) === 'device';
    this.path = given === standardOutput || isDevice ? null : resolve(given);
    this.#open = () => (isDevice ? createWriteStream(given) : process.stdout);
    if (this.path !== null && kindOf(this.path) === 'folder') {
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
   * @throws VfError usage/invalid when a folder should go to stdout, or take the place of a file
   */
  async commit(hasDiagnostics: boolean): Promise<void> {
    if (this.path === null) return this.#print();
    if (kindOf(this.part) === 'folder' && kindOf(this.path) === 'file') {
      throw new VfError('usage/invalid', `this export is a folder, and ${this.shown} is a file`, {
        hint: 'name a new folder after -o',
      });
    }
    await rename(this.part, this.path);
    const { diagnostics } = this;
    if (diagnostics === null) return;
    if (hasDiagnostics) await rename(this.diagnosticsPart, diagnostics);
    else await rm(diagnostics, { force: true });
  }

  async #print(): Promise<void> {
    if (kindOf(this.part) === 'folder') {
      const taker = this.shown === standardOutput ? 'stdout' : this.shown;
      throw new VfError('usage/invalid', `this export is a folder, which ${taker} cannot take`, {
        hint: '-o PATH',
      });
    }
    const taker = this.#open();
    const isStandard = taker === process.stdout;
    try {
      await pipeline(createReadStream(this.part), taker, { end: !isStandard });
    } catch (error) {
      // Whoever reads it, as `head` does, has enough.
      if (!isStandard || Object(error).code !== 'EPIPE') throw error;
    }
  }

  /** Removes what is left of the writing; synchronous, so that it also works on the way out. */
  clear(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

function scratchFolder(path: string | null, given: string): string {
  try {
    if (path === null) return mkdtempSync(join(tmpdir(), 'vf-export-'));
    makeAll(dirname(path));
    return mkdtempSync(join(dirname(path), `.${basename(path)}.`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new VfError('store/not_writable', `${given} cannot be written: ${reason}`, {
      cause: error,
      hint: 'name another path after -o',
    });
  }
}

/** A folder with those above it. Node's own way never ends below one that refuses with ENOENT, as `/proc` does. */
function makeAll(dir: string): void {
  if (statIfAny(dir) !== undefined) return;
  makeAll(dirname(dir));
  try {
    mkdirSync(dir);
  } catch (error) {
    // Another export may have made it meanwhile.
    if (kindOf(dir) !== 'folder') throw error;
  }
}

/** What is at a path, behind links; `device`: whatever takes bytes as they come, such as a pipe. */
function kindOf(path: string): 'none' | 'file' | 'folder' | 'device' {
  const there = statIfAny(path);
  if (there === undefined) return 'none';
  if (there.isDirectory()) return 'folder';
  return there.isFile() ? 'file' : 'device';
}

/** undefined too where something of the path is no folder, which the writing tells. */
function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
