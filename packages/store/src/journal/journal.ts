import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trace } from '@vf/core';
import { LineFile } from '../files/line-file.ts';
import { OpenTrace } from './open-trace.ts';

/** Bytes of finished rollouts that a journal may hold before it is written anew. */
const slack = 16 * 1024 * 1024;

export interface JournalOptions {
  /** Bytes that the file may grow by before it is written anew. */
  readonly slack?: number;
  /** Takes secrets out of every line. */
  readonly mask?: (text: string) => string;
}

/**
 * Turns of the rollouts in progress, all in one file. A rollout that ends before the next `flush` costs
 * nothing. The file is written anew, with what is still open, once it is twice as large as that and 16 MiB.
 */
export class Journal {
  readonly #dir: string;
  readonly #session: string;
  readonly #slack: number;
  readonly #open = new Map<string, OpenTrace>();
  readonly #byEpisode = new Map<string, OpenTrace[]>();
  readonly #mask: (text: string) => string;
  #changed = new Set<OpenTrace>();
  #file: LineFile | null = null;
  #files = 0;
  /** Size of the file when it was last written anew. */
  #openSize = 0;

  /** @param session names the files; no other session may use it */
  constructor(dir: string, session: string, options: JournalOptions = {}) {
    this.#dir = dir;
    this.#session = session;
    this.#slack = options.slack ?? slack;
    this.#mask = options.mask ?? ((text) => text);
  }

  open(trace: Trace, about: { readonly episode: string; readonly attempt: number }): void {
    const open = new OpenTrace(trace, about);
    this.#open.set(trace.id, open);
    const others = this.#byEpisode.get(about.episode);
    if (others === undefined) this.#byEpisode.set(about.episode, [open]);
    else others.push(open);
  }

  /** @returns whether there is something to flush */
  changed(trace: Trace): boolean {
    const open = this.#open.get(trace.id);
    if (open !== undefined) this.#changed.add(open);
    return open !== undefined;
  }

  /** The episode is stored; its traces leave the journal. */
  done(episode: string): void {
    for (const open of this.#byEpisode.get(episode) ?? []) {
      this.#open.delete(open.trace.id);
      this.#changed.delete(open);
    }
    this.#byEpisode.delete(episode);
  }

  /** Writes what is new. What could not be written is tried again with the next flush. */
  async flush(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed = new Set();
    if (changed.length === 0) return;
    const file = await this.#current();
    await this.#write(file, changed, (open) => open.nextLine());
    if (file.end > 2 * this.#openSize + this.#slack) await this.#startAnew();
  }

  /** Leaves the turns of what is still open on disk, and nothing else. */
  async close(): Promise<void> {
    try {
      if (this.#file !== null) await this.#startAnew();
    } finally {
      await this.#file?.close();
      this.#file = null;
    }
  }

  async #current(): Promise<LineFile> {
    this.#file ??= await this.#newFile();
    return this.#file;
  }

  async #newFile(): Promise<LineFile> {
    await mkdir(this.#dir, { recursive: true });
    return LineFile.open(join(this.#dir, `${this.#session}-${this.#files++}.jsonl`));
  }

  async #startAnew(): Promise<void> {
    const old = this.#file;
    const open = [...this.#open.values()].filter(({ trace }) => trace.calls.length > 0);
    this.#file = open.length === 0 ? null : await this.#newFile();
    if (this.#file !== null) await this.#write(this.#file, open, (trace) => trace.wholeLine());
    this.#openSize = this.#file?.end ?? 0;
    if (old === null) return;
    await old.close();
    await rm(old.path, { force: true });
  }

  /** One trace after the other, so that encoding many of them does not hold up the event loop. */
  async #write(
    file: LineFile,
    traces: readonly OpenTrace[],
    lineOf: (trace: OpenTrace) => string | null,
  ): Promise<void> {
    let pending: Promise<unknown>[] = [];
    let size = 0;
    for (const open of traces) {
      const line = this.#open.has(open.trace.id) ? lineOf(open) : null;
      if (line === null) continue;
      pending.push(
        file.append(this.#mask(line)).catch((error: unknown) => this.#again(open, error)),
      );
      size += line.length;
      if (size < writeSize) continue;
      await Promise.all(pending);
      pending = [];
      size = 0;
    }
    await Promise.all(pending);
  }

  #again(open: OpenTrace, error: unknown): never {
    open.forget();
    this.#changed.add(open);
    throw error;
  }
}

/** Characters to encode before the event loop gets a turn. */
const writeSize = 256 * 1024;
