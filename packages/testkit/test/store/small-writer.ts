import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeEpisode, encodeTrace, episodeToLine } from '@vf/core/trace';
import type { Episode, Trace } from '@vf/core';
import type { StoreWriter, StoredEntry } from '../../src/conformance/index.ts';
import type { Fault } from './faults.ts';

/** Writes at once, so that there is nothing to lose, but for its fault. */
export class SmallWriter implements StoreWriter {
  readonly #dir: string;
  readonly #fault: Fault | null;
  readonly #about = new Map<string, { readonly episode: string; readonly attempt: number }>();
  #unwritten = '';
  #isClosed = false;

  constructor(dir: string, fault: Fault | null) {
    this.#dir = dir;
    this.#fault = fault;
  }

  static entryOf(episode: Episode): StoredEntry & { readonly line: string } {
    const { id, task, attempt } = episode;
    return { episode: id, task: task.key, attempt, line: episodeToLine(episode) };
  }

  async append(episode: Episode): Promise<StoredEntry> {
    const entry = SmallWriter.entryOf(episode);
    const line = `${this.#spoilt(entry.line, episode)}\n`;
    switch (this.#fault) {
      case 'writes-late':
      case 'shows-late':
        this.#unwritten += line;
        break;
      case 'closes-early':
        await delay(20);
        if (!this.#isClosed) appendFileSync(this.#path, line);
        break;
      case 'writes-over': {
        const before = await readFile(this.#path, 'utf8').catch(() => '');
        await writeFile(this.#path, before + line);
        break;
      }
      default:
        appendFileSync(this.#path, line);
    }
    return this.#fault === 'wrong-entry' ? { ...entry, episode: 'other' } : entry;
  }

  journal(trace: Trace, about: { readonly episode: string; readonly attempt: number }): void {
    this.#about.set(trace.id, about);
  }

  journalCall(trace: Trace): void {
    if (this.#fault === 'no-journal') return;
    const about = this.#about.get(trace.id);
    if (this.#fault === 'first-turn-only') this.#about.delete(trace.id);
    if (about === undefined) return;
    const line = JSON.stringify({ ...about, record: encodeTrace(trace) });
    writeFileSync(join(this.#dir, 'journal', encodeURIComponent(about.episode)), `${line}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#fault !== 'closes-early') await delay(this.#unwritten === '' ? 0 : 1);
    appendFileSync(this.#path, this.#unwritten);
    rmSync(join(this.#dir, 'lock'), { force: true });
  }

  get #path(): string {
    return join(this.#dir, 'episodes');
  }

  #spoilt(line: string, episode: Episode): string {
    if (this.#fault === 'ascii-only') return line.replaceAll(/[^\u0020-\u007e]/g, '?');
    if (this.#fault === 'drops-large' && line.length > 1_000_000) return '';
    if (this.#fault !== 'drops-unknown') return line;
    const { later_still: _, ...known } = encodeEpisode(episode) as Record<string, unknown>;
    return JSON.stringify(known);
  }
}
