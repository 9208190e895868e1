import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trace } from '@vf/core';

/** The two plays by which a task is validated: the reference solution, and doing nothing. */
export type PlayName = 'reference' | 'nothing';

/** What one play of a task left: why it scored what it did. */
export interface Evidence {
  readonly of: PlayName;
  /** What hooks noted: the last lines of a verifier, say. */
  readonly info: Readonly<Record<string, unknown>>;
  /** Folder of the host with the files that a run would keep; null when there is none. */
  readonly kept: string | null;
}

/** Where the files of the plays of one task go. */
export class PlayPlaces {
  readonly #dir: string;

  /** @param root folder for all tasks */
  constructor(root: string, task: string) {
    this.#dir = join(root, folderName(task));
  }

  dirOf(name: PlayName): string {
    return join(this.#dir, name);
  }

  /** What these plays left; what the others did is removed. */
  async evidence(faulty: Readonly<Partial<Record<PlayName, Trace>>>): Promise<Evidence[]> {
    const names: readonly PlayName[] = ['reference', 'nothing'];
    const sound = names.filter((name) => faulty[name] === undefined);
    await Promise.all(sound.map((name) => remove(this.dirOf(name))));
    if (sound.length === names.length) await remove(this.#dir);
    return names.flatMap((of): Evidence[] => {
      const trace = faulty[of];
      if (trace === undefined) return [];
      const { vf: _vf, ...info } = trace.info;
      return [{ of, info, kept: existsSync(this.dirOf(of)) ? this.dirOf(of) : null }];
    });
  }
}

/** Bytes; file systems take 255, some a little less. */
const longestName = 200;

/** Keys of tasks are any text; two that differ have folders that do. */
function folderName(key: string): string {
  const name = key
    .toWellFormed()
    .replaceAll(/[%/\\:\p{Cc}]/gu, encodeURIComponent)
    .replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'));
  if (Buffer.byteLength(name) <= longestName) return name;
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 16);
  return `${name.slice(0, longestName / 4)}-${digest}`;
}

/** What cannot be removed stays: a verdict does not hang on it. */
async function remove(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true }).catch(() => undefined);
}
