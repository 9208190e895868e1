import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Episode, Log, Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { episodeToLine } from '@vf/core/trace';
import { writeError } from './files/disk-error.ts';
import { LineFile } from './files/line-file.ts';
import type { LinePlace } from './files/line-file.ts';
import { removeParts } from './files/replace.ts';
import { writeWhole } from './files/write-whole.ts';
import { pointLastTo } from './folder/last-pointer.ts';
import { files, pathIn } from './folder/layout.ts';
import { exists, isUnused, makeFolder } from './folder/new-folder.ts';
import {
  layoutVersion,
  readHeader,
  extendPlan,
  replaceInPlan,
  writePlan,
} from './folder/plan-file.ts';
import type { GroupRecord } from './group-record.ts';
import type { StoredGroup } from './groups.ts';
import { Heartbeat } from './heartbeat.ts';
import type { IndexEntry } from './index-entry.ts';
import { entryToLine } from './index-file/entry-line.ts';
import { indexEntryOf } from './index-file/index-entry-of.ts';
import { parseEpisodeAt } from './index-file/scan-traces.ts';
import { Journal } from './journal/journal.ts';
import { tidyJournals } from './journal/tidy-journals.ts';
import { RunLock } from './lock/run-lock.ts';
import { EpisodeLogs } from './episode-logs.ts';
import { mend } from './mend.ts';

/** How long index lines, turns in progress and log lines may wait in memory, and episodes for the disk itself. */
const flushIntervalMs = 200;

export interface WriterOptions {
  /** Takes secrets out of every log line and every episode. */
  readonly mask?: (text: string) => string;
}

export interface NewRun extends WriterOptions {
  /** `<output_dir>/<taskset>--<model>--<harness>/<run id>`, or `<output_dir>/<name>` for a named run. */
  readonly dir: string;
  readonly runId: string;
  readonly name: string | null;
  readonly configToml: string;
  /** A JSON object; `store` is a key of ours in it. */
  readonly plan: unknown;
  /** Who holds the lock. Default: this process. */
  readonly host?: string;
  readonly pid?: number;
}

/**
 * Writes one run folder; the only one that does, by its lock. An episode that `append` acknowledged outlives
 * the end of the process at any moment; a power loss takes at most those of the last 200 ms.
 */
export class RunWriter {
  readonly dir: string;
  /** What `resume` found damaged, and what it did about it. */
  readonly repairs: readonly Problem[];
  readonly #lock: RunLock;
  readonly #traces: LineFile;
  readonly #index: LineFile;
  readonly #groups: LineFile;
  readonly #journal: Journal;
  readonly #logs: EpisodeLogs;
  readonly #mask: (text: string) => string;
  readonly #episodeFlush = new Heartbeat(flushIntervalMs, () => this.#flushEpisodes());
  /** Apart, because writing a journal anew may take seconds. */
  readonly #turnFlush = new Heartbeat(flushIntervalMs, () => this.#flushTurns());
  #indexLines: string[] = [];
  /** Written data did not reach the disk: nothing more is promised. */
  #lost: VfError | null = null;
  #closed: Promise<void> | null = null;

  private constructor(
    dir: string,
    lock: RunLock,
    opened: OpenFiles,
    repairs: readonly Problem[],
    options: WriterOptions,
  ) {
    this.dir = dir;
    this.repairs = repairs;
    this.#lock = lock;
    this.#traces = opened.traces;
    this.#index = opened.index;
    this.#groups = opened.groups;
    this.#mask = options.mask ?? ((text) => text);
    const session = `${Date.now()}-${process.pid}`;
    this.#journal = new Journal(pathIn(dir, 'journal'), session, { mask: this.#mask });
    this.#logs = new EpisodeLogs(pathIn(dir, 'logs'), this.#mask, () => this.#turnFlush.ask());
  }

  /**
   * Starts a run in a folder of its own and makes `last` point to it. A folder that another start left
   * before its plan was written is used again.
   * @throws VfError store/exists, store/not_writable, store/disk_full
   */
  static async create(run: NewRun): Promise<RunWriter> {
    const { dir, name } = run;
    const header = { version: layoutVersion, id: run.runId, name, created: Date.now() / 1000 };
    if (typeof run.plan !== 'object' || run.plan === null)
      throw new TypeError('the plan must be an object');
    await makeFolder(dir);
    const lock = await RunLock.take(dir, run).catch((error: unknown) => {
      throw VfError.isInstance(error) && error.code === 'store/locked' ? exists(dir, error) : error;
    });
    try {
      if (!(await isUnused(dir))) throw exists(dir);
      // Before the plan, which makes a run of the folder: one that cannot be written is none.
      const opened = await openFiles(dir);
      try {
        await writeFile(pathIn(dir, 'config'), run.configToml);
        await writePlan(dir, header, run.plan);
      } catch (error) {
        await closeFiles(Object.values(opened));
        throw error;
      }
      const writer = new RunWriter(dir, lock, opened, [], run);
      await pointLastTo(dir, name === null ? dirname(dirname(dir)) : dirname(dir));
      return writer;
    } catch (error) {
      await lock.release();
      throw writeError(error, dir);
    }
  }

  /**
   * Goes on with a run. A lock of a process of this host that is gone is taken over; a last line that was not
   * whole is cut into a side file; the index is completed. See `repairs`. Parts of files that a killed process left are
   * removed.
   * @param options `isThorough`: reads every episode, so that damage in the middle is found too. Default: false.
   * @throws VfError store/not_found, store/locked, store/newer_version, store/damaged, store/not_writable
   */
  static async resume(
    dir: string,
    options: WriterOptions & { readonly isThorough?: boolean } = {},
  ): Promise<RunWriter> {
    await readHeader(dir);
    const lock = await RunLock.take(dir);
    try {
      await lock.tidy();
      await removeParts(dir, (name) => replaced.has(name));
      await removeParts(pathIn(dir, 'journal'), (name) => name.endsWith('.jsonl'));
      const repairs = await mend(dir, options.isThorough);
      await tidyJournals(dir);
      return new RunWriter(dir, lock, await openFiles(dir), repairs, options);
    } catch (error) {
      await lock.release();
      throw writeError(error, dir);
    }
  }

  /**
   * Adds an episode as one line, whole or not at all; its journal ends with it.
   * @returns its line in the index
   * @throws VfError store/disk_full, store/not_writable; the file then ends with the last whole line
   */
  async append(episode: Episode): Promise<IndexEntry> {
    if (this.#lost !== null) throw this.#lost;
    const place = await this.#traces.append(this.#mask(episodeToLine(episode)));
    const entry = indexEntryOf(episode, place);
    this.#indexLines.push(entryToLine(entry));
    this.#journal.done(episode.id);
    this.#episodeFlush.ask();
    return entry;
  }

  /** Adds the scores of a group. @throws VfError store/disk_full, store/not_writable */
  async appendGroup(group: GroupRecord): Promise<void> {
    if (this.#lost !== null) throw this.#lost;
    const stored: StoredGroup = { ...group, tracesEnd: this.#traces.end };
    await this.#groups.append(JSON.stringify(stored));
    this.#episodeFlush.ask();
  }

  /** @throws VfError store/damaged, store/newer_version */
  async read(entry: LinePlace): Promise<Episode> {
    return parseEpisodeAt(this.dir, entry, await this.#traces.read(entry));
  }

  /** Has the turns of a trace written down while it is in progress. */
  journal(trace: Trace, about: { readonly episode: string; readonly attempt: number }): void {
    this.#journal.open(trace, about);
  }

  /** Says that a call was added to a trace; it is written with the next flush, unless its episode is stored by then. */
  journalCall(trace: Trace): void {
    if (this.#journal.changed(trace)) this.#turnFlush.ask();
  }

  /** The log of an episode, `logs/<episode>.log`; there is no file before its first line. */
  log(episode: string): Log {
    return this.#logs.of(episode);
  }

  /** Adds fields to an object of `plan.json`, in place of those it has. @throws VfError store/* */
  async addToPlan(key: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    await extendPlan(this.dir, key, JSON.parse(this.#mask(JSON.stringify(fields))) as object);
  }

  /**
   * Says what the run is from now on: its config, and fields of its plan. The config is written first, because a plan
   * that asks for more than the config gives could not be resumed.
   * @throws VfError store/*
   */
  async restate(configToml: string, plan: Readonly<Record<string, unknown>>): Promise<void> {
    await writeWhole(pathIn(this.dir, 'config'), configToml);
    await replaceInPlan(this.dir, JSON.parse(this.#mask(JSON.stringify(plan))) as object);
  }

  /** Replaces `summary.json`. @throws VfError store/disk_full, store/not_writable */
  async writeSummary(summary: unknown): Promise<void> {
    await writeWhole(pathIn(this.dir, 'summary'), `${JSON.stringify(summary, null, 2)}\n`);
  }

  /**
   * Writes what is left and frees the lock. Turns of rollouts that are in no episode stay in the journal.
   * Closing again waits for the first time.
   * @throws VfError store/* when episodes did not reach the disk
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#episodeFlush.stop(), this.#turnFlush.stop()]);
    try {
      await Promise.all([this.#traces.idle(), this.#groups.idle()]);
      await Promise.all([this.#flushEpisodes(), this.#flushTurns()]);
      await this.#journal.close().catch(() => undefined);
      await Promise.all([this.#traces.close(), this.#index.close(), this.#groups.close()]);
    } finally {
      await this.#lock.release();
    }
    if (this.#lost !== null) throw this.#lost;
  }

  /** Episodes are on the disk before the index names them: after a power loss it would name zeros. */
  async #flushEpisodes(): Promise<void> {
    const lines = this.#indexLines;
    this.#indexLines = [];
    try {
      await Promise.all([this.#traces.sync(), this.#groups.sync()]);
    } catch (error) {
      this.#lost ??= writeError(error, this.dir);
      return;
    }
    await this.#writeIndex(lines);
  }

  async #flushTurns(): Promise<void> {
    await Promise.allSettled([this.#journal.flush(), this.#logs.flush()]);
  }

  /** The index can be done without; when the disk is full, the next `append` says so. */
  async #writeIndex(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      await this.#index.append(lines.join('\n'));
    } catch {
      this.#indexLines = [...lines, ...this.#indexLines];
    }
  }
}

/** Files of the run folder itself that are written whole. */
const replaced: ReadonlySet<string> = new Set([files.plan, files.config, files.summary]);

interface OpenFiles {
  readonly traces: LineFile;
  readonly index: LineFile;
  readonly groups: LineFile;
}

/** All of them or none. @throws VfError store/* */
async function openFiles(dir: string): Promise<OpenFiles> {
  const opened: LineFile[] = [];
  const open = async (file: keyof OpenFiles): Promise<LineFile> => {
    const made = await LineFile.open(pathIn(dir, file));
    opened.push(made);
    return made;
  };
  try {
    const [traces, index] = [await open('traces'), await open('index')];
    return { traces, index, groups: await open('groups') };
  } catch (error) {
    await closeFiles(opened);
    throw error;
  }
}

async function closeFiles(opened: readonly LineFile[]): Promise<void> {
  await Promise.all(opened.map((file) => file.close()));
}
