import { VfError, nearest } from '@vf/core/errors';
import type { Trace } from '@vf/core';
import { readIndexStream, readJournals } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { shellWord } from '../typed.ts';
import type { NamedRun } from '../typed.ts';

/** An episode that a person named: a stored one, or one that a journal holds as far as it went. */
export type FoundEpisode =
  | { readonly type: 'stored'; readonly entry: IndexEntry }
  | {
      readonly type: 'open';
      readonly episode: string;
      readonly attempt: number;
      readonly traces: readonly Trace[];
    };

interface Named {
  readonly task: string;
  readonly attempt: number;
  readonly episode: string;
}

/**
 * @param ref `<task key>:<attempt>`, an episode id or its unique start, or the key of a task with one attempt
 * @throws VfError usage/not_found
 */
export async function findEpisode(
  dir: string,
  ref: string,
  { run, typed }: NamedRun,
): Promise<FoundEpisode> {
  const entry = pick(await entriesLike(dir, ref), ref, typed);
  if (entry !== null) return { type: 'stored', entry };
  const open = await openEpisodes(dir);
  const found = pick(open, ref, typed);
  if (found !== null) return { type: 'open', ...found };
  const names = [...(await storedNames(dir)), ...open.map(nameOf)];
  const close = nearest(ref, names);
  throw new VfError(
    'usage/not_found',
    `no episode "${ref}" in run ${run}${close === null ? '' : `; nearest: ${close}`}`,
    {
      hint:
        close === null
          ? `vf show ${typed} --where "attempt=1" lists them`
          : `vf show ${typed} ${shellWord(close)}`,
    },
  );
}

/** Of a long run only what `pick` could choose. */
async function entriesLike(dir: string, ref: string): Promise<IndexEntry[]> {
  const found: IndexEntry[] = [];
  for await (const entries of readIndexStream(dir)) {
    const exact = entries.find((one) => isNamed(one, ref));
    if (exact !== undefined) return [exact];
    found.push(...entries.filter(({ task, episode }) => task === ref || episode.startsWith(ref)));
  }
  return found;
}

async function storedNames(dir: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entries of readIndexStream(dir)) names.push(...entries.map(nameOf));
  return names;
}

function isNamed(one: Named, ref: string): boolean {
  return one.episode === ref || nameOf(one) === ref;
}

function pick<Episode extends Named>(
  all: readonly Episode[],
  ref: string,
  typed: string,
): Episode | null {
  const exact = all.find((one) => isNamed(one, ref));
  if (exact !== undefined) return exact;
  const ofTask = all.filter(({ task }) => task === ref);
  const matches = ofTask.length > 0 ? ofTask : all.filter(({ episode }) => episode.startsWith(ref));
  const [first, ...others] = matches;
  if (first === undefined || others.length === 0) return first ?? null;
  throw new VfError('usage/not_found', `"${ref}" could be ${matches.length} episodes`, {
    hint: matches
      .slice(0, 5)
      .map((one) => `vf show ${typed} ${shellWord(nameOf(one))}`)
      .join('   '),
  });
}

function nameOf({ task, attempt }: Named): string {
  return `${task}:${attempt}`;
}

/** Rollouts under way or cut off, the traces of an episode together; the last try of each counts. */
async function openEpisodes(dir: string) {
  const byId = new Map<
    string,
    { episode: string; task: string; attempt: number; traces: Trace[] }
  >();
  for await (const { episode, attempt, trace } of readJournals(dir)) {
    const known = byId.get(episode);
    if (known === undefined)
      byId.set(episode, { episode, attempt, task: trace.task.key, traces: [trace] });
    else known.traces.push(trace);
  }
  return [...byId.values()].reverse();
}
