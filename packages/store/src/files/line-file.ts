import type { FileHandle } from 'node:fs/promises';
import { writeError } from './disk-error.ts';
import { openToWrite } from './plain-file.ts';

/** Where a line stands, in bytes; the length is without its newline. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

interface Waiting {
  readonly line: string;
  readonly resolve: (place: LinePlace) => void;
  readonly reject: (error: unknown) => void;
}

/** Characters per write; more lines than that are written in turns. */
const batchSize = 4 * 1024 * 1024;

/**
 * A file that grows by whole lines. Lines appended within one turn of the event loop are one write;
 * after a failed write the file ends with the last whole line.
 */
export class LineFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #queue: Waiting[] = [];
  #end: number;
  #hasTornEnd = false;
  #isUnsynced = false;
  #pump: Promise<void> | null = null;

  private constructor(path: string, file: FileHandle, end: number) {
    this.path = path;
    this.#file = file;
    this.#end = end;
  }

  /** Opens a file whose last line is whole, or makes an empty one. @throws VfError store/* */
  static async open(path: string): Promise<LineFile> {
    try {
      const { file, size } = await openToWrite(path);
      return new LineFile(path, file, size);
    } catch (error) {
      throw writeError(error, path);
    }
  }

  /** Bytes of the lines written so far. */
  get end(): number {
    return this.#end;
  }

  /** Resolves when the system has the whole line. @throws VfError store/disk_full, store/not_writable */
  append(line: string): Promise<LinePlace> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, resolve, reject });
      this.#pump ??= this.#work();
    });
  }

  /** @throws VfError store/damaged when the file ends before the place does */
  async read({ offset, length }: LinePlace): Promise<string> {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, offset);
    return bytes.toString('utf8', 0, bytesRead);
  }

  /** Waits for the lines appended so far. */
  async idle(): Promise<void> {
    await this.#pump;
  }

  /** Puts what was written on the disk itself. @throws VfError store/* */
  async sync(): Promise<void> {
    if (!this.#isUnsynced) return;
    this.#isUnsynced = false;
    try {
      await this.#file.datasync();
    } catch (error) {
      throw writeError(error, this.path);
    }
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#file.close();
  }

  async #work(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#queue.length > 0) await this.#write(this.#takeBatch());
    this.#pump = null;
  }

  #takeBatch(): Waiting[] {
    let size = 0;
    let count = 0;
    while (count < this.#queue.length && (count === 0 || size < batchSize)) {
      size += this.#queue[count]?.line.length ?? 0;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({ line }) => `${line}\n`).join(''));
    const start = this.#end;
    let written = 0;
    let failure: unknown;
    try {
      await this.#dropTornEnd();
      while (written < bytes.length) {
        const left = bytes.length - written;
        const { bytesWritten } = await this.#file.write(bytes, written, left, start + written);
        written += bytesWritten;
      }
    } catch (error) {
      failure = writeError(error, this.path);
    }
    const places = wholeLines(batch, start, written);
    this.#end = places.reduce((end, { length }) => end + length + 1, start);
    this.#isUnsynced = true;
    if (failure !== undefined) {
      this.#hasTornEnd = true;
      await this.#dropTornEnd().catch(() => undefined);
    }
    batch.forEach(({ resolve, reject }, at) => {
      const place = places[at];
      if (place === undefined) reject(failure);
      else resolve(place);
    });
  }

  async #dropTornEnd(): Promise<void> {
    if (!this.#hasTornEnd) return;
    await this.#file.truncate(this.#end);
    this.#hasTornEnd = false;
  }
}

/** Places of the lines of which every byte was written. */
function wholeLines(batch: readonly Waiting[], start: number, written: number): LinePlace[] {
  const places: LinePlace[] = [];
  let offset = start;
  for (const { line } of batch) {
    const length = Buffer.byteLength(line);
    if (offset + length + 1 > start + written) break;
    places.push({ offset, length });
    offset += length + 1;
  }
  return places;
}
