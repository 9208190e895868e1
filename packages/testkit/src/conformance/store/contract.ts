import type { Episode, Trace } from '@vf/core';

/** What a store keeps of runs, as the rest of vf uses it. A run stands in a folder of its own. */
export interface Store {
  /** Starts a run. @throws VfError store/exists when the folder holds something */
  create(run: StoredRun): Promise<StoreWriter>;
  /**
   * Goes on with a run, also one whose process is gone.
   * @throws VfError store/not_found, store/locked
   */
  resume(dir: string): Promise<StoreWriter>;
  /** One entry per task and attempt, that of the last episode; needs no lock. */
  readIndex(dir: string): Promise<readonly StoredEntry[]>;
  /** The episode of an entry of this store. */
  readEpisode(dir: string, entry: StoredEntry): Promise<Episode>;
  /** The episodes of `readIndex`; ends with the signal's reason when that aborts. */
  episodes(dir: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<Episode>;
  /** Rollouts that are in no episode: in progress, killed, cancelled. */
  readJournals(dir: string): AsyncIterable<JournaledRollout>;
  readPlan(dir: string): Promise<unknown>;
  /** Is a process writing the run? */
  isLive(dir: string): Promise<boolean>;
}

export interface StoredRun {
  readonly dir: string;
  readonly runId: string;
  readonly name: string | null;
  readonly configToml: string;
  /** A JSON object. */
  readonly plan: unknown;
}

/** The only one that writes a run. */
export interface StoreWriter {
  /** Adds an episode whole or not at all. Once it has resolved, no end of the process takes it back. */
  append(episode: Episode): Promise<StoredEntry>;
  /** Has the turns of a trace written down while it is in progress. */
  journal(trace: Trace, about: { readonly episode: string; readonly attempt: number }): void;
  /** Says that a call was added to a trace in progress. */
  journalCall(trace: Trace): void;
  /** Waits for what was appended and lets others write; may be called again. */
  close(): Promise<void>;
}

/** What every index says of an episode; a store has more. */
export interface StoredEntry {
  readonly episode: string;
  readonly task: string;
  readonly attempt: number;
}

export interface JournaledRollout {
  readonly episode: string;
  readonly attempt: number;
  readonly trace: Trace;
}

export interface StoreSuiteOptions {
  /** The module whose default export is the store: processes that are killed import it. */
  readonly module: URL;
  /** For one test, in milliseconds; default 120,000. */
  readonly timeoutMs?: number;
  /** How long a turn may take until readers find it in the journal, in milliseconds; default 10,000. */
  readonly journalMs?: number;
}

/** One thing that every store must hold; rejects when it does not. */
export interface StoreCheck {
  readonly name: string;
  readonly run: (at: StoreFixture) => Promise<void>;
}

/** What a check works with; all of it is removed after the check. */
export interface StoreFixture {
  readonly store: Store;
  readonly module: URL;
  readonly journalMs: number;
  /** A new run, open for writing. */
  readonly start: (plan?: object) => Promise<OpenRun>;
  readonly resume: (dir: string) => Promise<StoreWriter>;
  /** A copy of a run's folder. */
  readonly copyOf: (dir: string) => Promise<string>;
  /** A folder that is not there yet. */
  readonly newFolder: () => string;
}

export interface OpenRun {
  readonly dir: string;
  readonly writer: StoreWriter;
}
