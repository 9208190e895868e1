import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { VfError } from '@vf/core/errors';
import { decodeEpisode, decodeTrace } from '@vf/core/trace';
import type { Episode } from '@vf/core';
import type { JournaledRollout, Store, StoredEntry } from '../../src/conformance/index.ts';
import type { Fault } from './faults.ts';
import { SmallWriter } from './small-writer.ts';

/** The entry of the small store: the episode itself is the line. */
interface SmallEntry extends StoredEntry {
  readonly line: string;
}

/** A store of a few lines, sound but for the fault that is asked for. */
export function smallStore(fault: Fault | null = null): Store {
  const linesOf = (dir: string): string[] => wholeLines(join(dir, 'episodes'), fault);
  const episodesOf = (dir: string): Episode[] =>
    linesOf(dir).flatMap((line) => parsed(line, fault));
  const entriesOf = (dir: string): SmallEntry[] => counted(episodesOf(dir), fault);
  return {
    create: async ({ dir, plan }) => {
      if (existsSync(dir) && fault !== 'starts-over') throw refusal('exists', dir);
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(join(dir, 'journal'), { recursive: true });
      writeFileSync(join(dir, 'plan'), JSON.stringify(fault === 'forgets-plan' ? {} : plan));
      lock(dir);
      return new SmallWriter(dir, fault);
    },
    resume: async (dir) => {
      if (!existsSync(join(dir, 'plan'))) {
        if (fault !== 'invents-runs') throw refusal('not_found', dir);
        mkdirSync(join(dir, 'journal'), { recursive: true });
      }
      if (fault !== 'no-lock' && holderLives(dir, fault)) throw refusal('locked', dir);
      if (fault === 'races-for-lock') await delay(1);
      lock(dir);
      mend(join(dir, 'episodes'), fault);
      return new SmallWriter(dir, fault);
    },
    readIndex: async (dir) => {
      // No handle of Node's: one that is collected ends the process.
      if (fault === 'leaks') openSync(join(dir, 'plan'), 'r');
      return entriesOf(dir);
    },
    readEpisode: async (_dir, entry: SmallEntry) => decodeEpisode(JSON.parse(entry.line)),
    episodes: async function* (dir, { signal } = {}) {
      for (const { line } of entriesOf(dir)) {
        if (fault !== 'ignores-signal') signal?.throwIfAborted();
        yield decodeEpisode(JSON.parse(line));
      }
    },
    readJournals: async function* (dir) {
      const stored = new Set(episodesOf(dir).map(({ id }) => id));
      for (const name of readdirSync(join(dir, 'journal'))) {
        for (const rollout of journaled(join(dir, 'journal', name), fault))
          if (fault === 'keeps-journal' || !stored.has(rollout.episode)) yield rollout;
      }
    },
    readPlan: async (dir) => JSON.parse(readFileSync(join(dir, 'plan'), 'utf8')) as unknown,
    isLive: async (dir) => holderLives(dir, fault),
  };
}

function parsed(line: string, fault: Fault | null): Episode[] {
  try {
    return [decodeEpisode(JSON.parse(line))];
  } catch (error) {
    if (fault === 'chokes') throw error;
    return [];
  }
}

/** The last episode of each task and attempt. */
function counted(episodes: readonly Episode[], fault: Fault | null): SmallEntry[] {
  const entries = new Map<string, SmallEntry>();
  for (const [at, episode] of episodes.entries()) {
    const entry = SmallWriter.entryOf(episode);
    const key = `${fault === 'doubles' ? at : ''}${entry.attempt} ${entry.task}`;
    if (fault !== 'first-counts' || !entries.has(key)) entries.set(key, entry);
  }
  return [...entries.values()];
}

function wholeLines(path: string, fault: Fault | null): string[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  return text
    .slice(0, fault === 'chokes' ? undefined : text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
}

/** Cuts a last line that is not whole. */
function mend(path: string, fault: Fault | null): void {
  if (!existsSync(path) || fault === 'never-mends') return;
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.lastIndexOf('\n') + 1));
}

function journaled(path: string, fault: Fault | null): JournaledRollout[] {
  const text = readFileSync(path, 'utf8');
  if (!text.endsWith('\n') && fault !== 'chokes') return [];
  const { episode, attempt, record } = JSON.parse(text) as {
    episode: string;
    attempt: number;
    record: Readonly<Record<string, unknown>>;
  };
  return [{ episode, attempt, trace: decodeTrace(record, []) }];
}

function lock(dir: string): void {
  writeFileSync(join(dir, 'lock'), String(process.pid));
}

function holderLives(dir: string, fault: Fault | null): boolean {
  const path = join(dir, 'lock');
  if (!existsSync(path)) return false;
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch {
    return fault === 'keeps-dead-lock';
  }
}

function refusal(code: 'exists' | 'not_found' | 'locked', dir: string): VfError {
  return new VfError(`store/${code}`, `${dirname(dir)}: ${code}`, { hint: 'take another folder' });
}
