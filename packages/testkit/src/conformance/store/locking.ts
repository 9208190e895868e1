import { expect } from 'vitest';
import type { StoreCheck } from './contract.ts';
import { episodeOf, expectStored } from './what-is-stored.ts';

/** One writer at a time. */
export const locking: readonly StoreCheck[] = [
  {
    name: 'a second writer is refused while the first is open, and let in after it',
    run: async ({ store, start, resume }) => {
      const { dir, writer } = await start();
      expect(await store.isLive(dir)).toBe(true);
      await expect(resume(dir)).rejects.toMatchObject({ code: 'store/locked' });
      await writer.append(episodeOf('a'));
      await writer.close();
      expect(await store.isLive(dir)).toBe(false);
      const next = await resume(dir);
      expect(await store.isLive(dir)).toBe(true);
      await next.append(episodeOf('b'));
      await next.close();
      await expectStored(store, dir, [episodeOf('a'), episodeOf('b')]);
    },
  },
  {
    name: 'of many that resume at once one gets in',
    run: async ({ start, resume }) => {
      const { dir, writer } = await start();
      await writer.close();
      const tried = await Promise.allSettled(Array.from({ length: 8 }, () => resume(dir)));
      const codes = tried.map((one) => (one.status === 'fulfilled' ? 'in' : codeOf(one.reason)));
      expect(codes.toSorted()).toEqual(['in', ...Array<string>(7).fill('store/locked')]);
    },
  },
  {
    name: 'a run is not started over another',
    run: async ({ store, start }) => {
      const { dir, writer } = await start();
      await writer.append(episodeOf('a'));
      const again = { dir, runId: 'other', name: 'run', configToml: '', plan: {} };
      await expect(store.create(again)).rejects.toMatchObject({ code: 'store/exists' });
      await writer.close();
      await expect(store.create(again)).rejects.toMatchObject({ code: 'store/exists' });
      await expectStored(store, dir, [episodeOf('a')]);
    },
  },
  {
    name: 'what is no run is refused as not found',
    run: async ({ resume, newFolder }) => {
      await expect(resume(newFolder())).rejects.toMatchObject({ code: 'store/not_found' });
    },
  },
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
