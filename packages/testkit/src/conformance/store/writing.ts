import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { OpenRun, StoreCheck, StoreFixture } from './contract.ts';
import { episodeOf, expectStored, turnsInJournal } from './what-is-stored.ts';

/** Order, repetition, and readers beside the writer. */
export const writing: readonly StoreCheck[] = [
  {
    name: 'episodes appended at once are all there, once each',
    run: async ({ store, start }) => {
      const episodes = Array.from({ length: 200 }, (_, at) =>
        episodeOf(`task-${at % 50}`, { attempt: 1 + Math.floor(at / 50) }),
      );
      const { dir, writer } = await start();
      const entries = await Promise.all(episodes.map((episode) => writer.append(episode)));
      expect(entries.map(({ episode }) => episode)).toEqual(episodes.map(({ id }) => id));
      await writer.close();
      await expectStored(store, dir, episodes);
    },
  },
  {
    name: 'an episode that is appended twice counts once',
    run: async ({ store, start, resume }) => {
      const { dir, writer } = await start();
      await writer.append(episodeOf('a'));
      await writer.append(episodeOf('a'));
      await expectStored(store, dir, [episodeOf('a')]);
      await writer.close();
      const next = await resume(dir);
      await next.append(episodeOf('a'));
      await next.close();
      await expectStored(store, dir, [episodeOf('a')]);
    },
  },
  {
    name: 'of an attempt that was played again the last episode counts',
    run: async ({ store, start, resume }) => {
      const first = episodeOf('a', { fields: { id: 'first' }, rewards: { correct: null } });
      const second = episodeOf('a', { fields: { id: 'second' }, rewards: { correct: 1 } });
      const third = episodeOf('a', { fields: { id: 'third' }, rewards: { correct: 0 } });
      const { dir, writer } = await start();
      await writer.append(first);
      await writer.append(episodeOf('b'));
      await writer.append(second);
      await expectStored(store, dir, [second, episodeOf('b')]);
      await writer.close();
      const next = await resume(dir);
      await next.append(third);
      await next.close();
      await expectStored(store, dir, [third, episodeOf('b')]);
    },
  },
  {
    name: 'a close waits for what was appended, and may be called again',
    run: async ({ store, start }) => {
      const episodes = Array.from({ length: 50 }, (_, at) => episodeOf(`task-${at}`));
      const { dir, writer } = await start();
      const appended = Promise.all(episodes.map((episode) => writer.append(episode)));
      await Promise.all([writer.close(), writer.close()]);
      await expectStored(store, dir, episodes);
      expect(await appended).toHaveLength(episodes.length);
    },
  },
  {
    name: 'readers beside the writer see whole episodes, and never fewer than before',
    run: async ({ store, start }) => {
      const { dir, writer } = await start();
      const appended: string[] = [];
      const state = { isWriting: true };
      const write = async (): Promise<void> => {
        for (let at = 0; at < 60; at++) {
          const text = 'x'.repeat(50_000);
          const reply = { role: 'assistant', content: text } as const;
          const turns = [{ prompt: [{ role: 'user', content: 'go' }] as const, reply }];
          const { episode } = await writer.append(episodeOf(`task-${at}`, { turns }));
          appended.push(episode);
        }
        state.isWriting = false;
      };
      const read = async (): Promise<void> => {
        let seen: readonly string[] = [];
        while (state.isWriting) {
          const acknowledged = [...appended];
          const entries = await store.readIndex(dir);
          const now = entries.map(({ episode }) => episode);
          expect(now).toEqual(expect.arrayContaining([...acknowledged, ...seen]));
          const last = entries.at(-1);
          if (last !== undefined)
            expect((await store.readEpisode(dir, last)).id).toBe(last.episode);
          seen = now;
        }
      };
      await Promise.all([write(), read(), read()]);
    },
  },
  {
    name: 'a reader that is told to stop ends at once',
    run: async ({ store, start }) => {
      const { dir } = await runOf(start, 20);
      const stop = new AbortController();
      let read = 0;
      const readOn = async (): Promise<void> => {
        for await (const _ of store.episodes(dir, { signal: stop.signal }))
          if (++read === 3) stop.abort(new Error('told to stop'));
      };
      await expect(readOn()).rejects.toThrow('told to stop');
      expect(read).toBe(3);
      await expect(readOn()).rejects.toThrow('told to stop');
    },
  },
  {
    name: 'readers leave nothing open',
    run: async ({ store, start }) => {
      const { dir } = await runOf(start, 20);
      const before = openFiles();
      for await (const { id } of store.episodes(dir)) if (id !== '') break;
      for (const entry of await store.readIndex(dir)) await store.readEpisode(dir, entry);
      await turnsInJournal(store, dir);
      expect(openFiles()).toBeLessThanOrEqual(before);
    },
  },
];

/** A closed run of some episodes. */
async function runOf(start: StoreFixture['start'], count: number): Promise<OpenRun> {
  const run = await start();
  for (let at = 0; at < count; at++) await run.writer.append(episodeOf(`task-${at}`));
  await run.writer.close();
  return run;
}

/** Files that this process has open; 0 where the system does not say. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
