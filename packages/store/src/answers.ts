import { copyFile, truncate } from 'node:fs/promises';
import { writeError } from './files/disk-error.ts';
import { LineFile } from './files/line-file.ts';
import type { LinePlace } from './files/line-file.ts';
import { openToRead } from './files/plain-file.ts';
import { linesOf } from './files/read-lines.ts';
import { pathIn } from './folder/layout.ts';

/** What a judge answered once; it answers for every question with the same key. */
export interface StoredAnswer {
  /** SHA-256 of model, words, sampling, format and vote, hex. */
  readonly key: string;
  /** The judge's name. */
  readonly by: string;
  readonly model: string;
  readonly text: string;
}

/** The answers of a run's judges, `answers.jsonl`. Only their places are kept in memory. For who holds the lock. */
export class AnswerFile {
  readonly #file: LineFile;
  readonly #places: Map<string, LinePlace>;
  readonly #mask: (text: string) => string;

  private constructor(
    file: LineFile,
    places: Map<string, LinePlace>,
    mask: (text: string) => string,
  ) {
    this.#file = file;
    this.#places = places;
    this.#mask = mask;
  }

  /**
   * Opens the file of the run in `dir`, or makes it: with the answers of `parent`, where there is one.
   * @throws VfError store/not_writable, store/disk_full
   */
  static async open(
    dir: string,
    options: { readonly parent?: string; readonly mask?: (text: string) => string } = {},
  ): Promise<AnswerFile> {
    const path = pathIn(dir, 'answers');
    try {
      const { parent } = options;
      if (parent !== undefined) await copyIfThere(pathIn(parent, 'answers'), path);
      const places = new Map<string, LinePlace>();
      for await (const { bytes, offset, length, isWhole } of linesOf(path)) {
        const answer = isWhole ? parseAnswer(bytes.toString()) : null;
        if (answer !== null) places.set(answer.key, { offset, length });
        if (!isWhole) await truncate(path, offset);
      }
      return new AnswerFile(await LineFile.open(path), places, options.mask ?? ((text) => text));
    } catch (error) {
      throw writeError(error, path);
    }
  }

  async get(key: string): Promise<StoredAnswer | null> {
    const place = this.#places.get(key);
    return place === undefined ? null : parseAnswer(await this.#file.read(place));
  }

  /** @throws VfError store/disk_full, store/not_writable */
  async add(answer: StoredAnswer): Promise<void> {
    const line = this.#mask(JSON.stringify(answer));
    this.#places.set(answer.key, await this.#file.append(line));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  const file = await openToRead(from);
  if (file === null) return;
  await file.close();
  await copyFile(from, to);
}

/** null for a line that something damaged: then the judge is asked again. */
function parseAnswer(line: string): StoredAnswer | null {
  try {
    const value = JSON.parse(line) as Partial<StoredAnswer> | null;
    const { key, by, model, text } = value ?? {};
    const texts = [key, by, model, text];
    return texts.every((field) => typeof field === 'string') ? (value as StoredAnswer) : null;
  } catch {
    return null;
  }
}
