import { expect } from 'vitest';
import { decodeEpisode, encodeEpisode, encodeTrace } from '@vf/core/trace';
import type { MadeTurn } from '../../factories/trace.ts';
import type { StoreCheck } from './contract.ts';
import { all, episodeOf, expectStored } from './what-is-stored.ts';

const oddKeys = [
  'täsk/ü',
  '数学',
  '😀',
  'a b:1',
  '../up',
  'line\nbreak',
  '\u2028',
  '"quoted" \\',
  '__proto__',
  '',
];

/** What is put in comes out the same. */
export const keeping: readonly StoreCheck[] = [
  {
    name: 'a new run has its plan and no episode',
    run: async ({ store, start }) => {
      const plan = { v: 1, tasks: { täsk: 'hash' }, nested: { list: [1, null, '😀'] } };
      const { dir, writer } = await start(plan);
      expect(await store.readPlan(dir)).toEqual(plan);
      await expectStored(store, dir, []);
      await writer.close();
      expect(await store.readPlan(dir)).toEqual(plan);
      await expectStored(store, dir, []);
    },
  },
  {
    name: 'episodes come back the same, while the run is written, after it, and after a resume',
    run: async ({ store, start, resume }) => {
      const episodes = [episodeOf('a'), episodeOf('a', { attempt: 2 }), episodeOf('b')];
      const { dir, writer } = await start();
      for (const episode of episodes) await writer.append(episode);
      await expectStored(store, dir, episodes);
      await writer.close();
      await expectStored(store, dir, episodes);
      const next = await resume(dir);
      await next.append(episodeOf('c'));
      await next.close();
      await expectStored(store, dir, [...episodes, episodeOf('c')]);
    },
  },
  {
    name: 'append resolves with the entry that the index then has',
    run: async ({ store, start }) => {
      const { dir, writer } = await start();
      const entry = await writer.append(episodeOf('a', { attempt: 3 }));
      expect(await store.readIndex(dir)).toEqual([entry]);
      expect((await store.readEpisode(dir, entry)).id).toBe(entry.episode);
    },
  },
  {
    name: 'fields that this version does not know are kept',
    run: async ({ store, start }) => {
      const episode = episodeOf('a');
      const traces = episode.traces.map((trace) => ({
        ...encodeTrace(trace),
        later: { deep: ['ü', 1e-9] },
      }));
      const record = { ...encodeEpisode(episode), traces, later_still: { of: [null, 'x'] } };
      const later = decodeEpisode(record);
      const { dir, writer } = await start();
      await writer.append(later);
      await writer.close();
      await expectStored(store, dir, [later]);
      const [found] = await all(store.episodes(dir));
      expect(found === undefined ? null : encodeEpisode(found)).toMatchObject({
        later_still: { of: [null, 'x'] },
        traces: [{ later: { deep: ['ü', 1e-9] } }],
      });
    },
  },
  {
    name: 'keys and messages may be of any characters',
    run: async ({ store, start, resume }) => {
      const episodes = oddKeys.map((key, at) =>
        episodeOf(key, { id: `odd-${at}`, turns: [turnOf(`${key}\n\u0000 ${key}`)] }),
      );
      const { dir, writer } = await start();
      for (const episode of episodes) await writer.append(episode);
      await writer.close();
      await expectStored(store, dir, episodes);
      await (await resume(dir)).close();
      await expectStored(store, dir, episodes);
    },
  },
  {
    name: 'a trace of ten megabytes is kept whole, and so is what follows it',
    run: async ({ store, start }) => {
      const turns = Array.from({ length: 200 }, (_, at) => turnOf(`${at} ${'ü'.repeat(25_000)}`));
      const episodes = [episodeOf('large', { turns }), episodeOf('small')];
      const { dir, writer } = await start();
      await Promise.all(episodes.map((episode) => writer.append(episode)));
      await expectStored(store, dir, episodes);
    },
  },
];

function turnOf(text: string): MadeTurn {
  return {
    prompt: [{ role: 'user', content: text }],
    reply: { role: 'assistant', content: text },
  };
}
