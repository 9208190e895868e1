import { expect } from 'vitest';
import type { Episode } from '@vf/core';
import { episodeToLine } from '@vf/core/trace';
import { makeEpisode } from '../../factories/episode.ts';
import type { EpisodeOptions } from '../../factories/episode.ts';
import type { JournaledRollout, Store, StoredEntry } from './contract.ts';

/** A finished episode of a task; its id tells task, attempt and `id` apart. */
export function episodeOf(task: string, options: EpisodeOptions = {}): Episode {
  const { attempt = 1 } = options;
  return makeEpisode({ task: { key: task }, id: `rollout-${task}-${attempt}`, ...options });
}

/** Entries as text, `task:attempt=episode`, in the order of their names. */
export function namesOf(entries: readonly StoredEntry[]): string[] {
  return entries.map(({ task, attempt, episode }) => `${task}:${attempt}=${episode}`).toSorted();
}

export function namesOfEpisodes(episodes: readonly Episode[]): string[] {
  return namesOf(
    episodes.map(({ id, task, attempt }) => ({ episode: id, task: task.key, attempt })),
  );
}

/** The run holds these episodes and no other, by its index, by place and one after the other. */
export async function expectStored(
  store: Store,
  dir: string,
  episodes: readonly Episode[],
): Promise<void> {
  const entries = await store.readIndex(dir);
  expect(namesOf(entries)).toEqual(namesOfEpisodes(episodes));
  const byPlace = await Promise.all(entries.map((entry) => store.readEpisode(dir, entry)));
  expectSame(byPlace, episodes);
  expectSame(await all(store.episodes(dir)), episodes);
}

function expectSame(found: readonly Episode[], expected: readonly Episode[]): void {
  expect(found.map(episodeToLine).toSorted()).toEqual(expected.map(episodeToLine).toSorted());
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Turns of each journaled rollout, by its episode. */
export async function turnsInJournal(store: Store, dir: string): Promise<Record<string, number>> {
  const found: readonly JournaledRollout[] = await all(store.readJournals(dir));
  return Object.fromEntries(found.map(({ episode, trace }) => [episode, trace.calls.length]));
}
