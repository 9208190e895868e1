import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Episode } from '@vf/core';
import type { StoreCheck, StoreFixture } from './contract.ts';
import { all, episodeOf, expectStored, namesOf, namesOfEpisodes } from './what-is-stored.ts';

/** A crash in the middle of the last write: the file holds its bytes up to the cut, then nothing or zeros. */
interface Crash {
  readonly file: string;
  readonly bytes: Buffer;
  readonly hasZeros: boolean;
}

/** What a process that ends in the middle of a write, or a machine that loses power, leaves. */
export const crashes: readonly StoreCheck[] = [
  {
    name: 'a last write that was cut at any byte takes no earlier episode, and is played again once',
    run: async (at) => {
      const { before, after } = await lastWrite(at);
      const cuts = await all(crashesBetween(before, after));
      // A kill keeps what was written, in whatever order; zeros come from a power loss, which can be kept in order.
      const afterKill = cuts.filter(({ hasZeros }) => !hasZeros);
      const left = [
        ...cuts.map((crash) => ({ others: before, crash })),
        ...afterKill.map((crash) => ({ others: after, crash })),
      ];
      await eachOf(left, ({ others, crash }) => expectMended(at, others, crash));
    },
  },
  {
    name: 'a journal that was cut at any byte gives the turns before the cut, or none',
    run: async (at) => {
      const { dir, writer } = await at.start();
      const empty = await at.copyOf(dir);
      const [trace] = episodeOf('a').traces;
      if (trace === undefined) throw new Error('made episodes have a trace');
      writer.journal(trace, { episode: 'open', attempt: 1 });
      writer.journalCall(trace);
      await expect
        .poll(async () => (await all(at.store.readJournals(dir))).length, { timeout: at.journalMs })
        .toBe(1);
      for await (const crash of crashesBetween(empty, dir)) {
        const copy = await at.copyOf(dir);
        await writeFile(join(copy, crash.file), crash.bytes);
        const found = await all(at.store.readJournals(copy)).catch((error: unknown) =>
          expect.fail(
            `${crash.file} of ${crash.bytes.length} bytes cannot be read: ${String(error)}`,
          ),
        );
        expect(
          found.every(({ episode, trace: { calls } }) => episode === 'open' && calls.length <= 1),
        ).toBe(true);
        await expectStored(at.store, copy, []);
        await rm(copy, { recursive: true });
      }
    },
  },
];

const kept = [episodeOf('täsk-1'), episodeOf('task-2')];
const last = episodeOf('task-3');

/** A closed run of two episodes, and the same with a third. */
async function lastWrite(at: StoreFixture): Promise<{ before: string; after: string }> {
  const { dir, writer } = await at.start();
  for (const episode of kept) await writer.append(episode);
  await writer.close();
  const before = await at.copyOf(dir);
  const next = await at.resume(dir);
  await next.append(last);
  await next.close();
  return { before, after: dir };
}

async function expectMended(
  at: StoreFixture,
  others: string,
  { file, bytes }: Crash,
): Promise<void> {
  const dir = await at.copyOf(others);
  await writeFile(join(dir, file), bytes);
  const what = `${file} of ${bytes.length} bytes`;
  const names = namesOfEpisodes(kept);
  expect(namesOf(await at.store.readIndex(dir)), what).toEqual(expect.arrayContaining(names));
  const writer = await at.resume(dir);
  const found = await all(at.store.episodes(dir));
  await expectStored(at.store, dir, isThere(found) ? [...kept, last] : kept);
  await writer.append(last);
  await writer.close();
  await expectStored(at.store, dir, [...kept, last]);
  await rm(dir, { recursive: true });
}

function isThere(found: readonly Episode[]): boolean {
  return found.some(({ id }) => id === last.id);
}

/** Of each file that only grew: the growth cut near its ends at every byte and between at some, as is and with zeros. */
async function* crashesBetween(before: string, after: string): AsyncGenerator<Crash, void> {
  const names = await readdir(after, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((name) => name.isFile())) {
    const file = join(entry.parentPath, entry.name).slice(after.length + 1);
    const whole = await readFile(join(after, file));
    const old = await readFile(join(before, file)).catch(() => Buffer.alloc(0));
    if (whole.length <= old.length || !whole.subarray(0, old.length).equals(old)) continue;
    for (const end of cutsBetween(old.length, whole.length)) {
      const bytes = whole.subarray(0, end);
      yield { file, bytes, hasZeros: false };
      if ((end - old.length) % 7 !== 0) continue;
      const zeros = Buffer.alloc(whole.length - end);
      yield { file, bytes: Buffer.concat([bytes, zeros]), hasZeros: zeros.length > 0 };
    }
  }
}

function cutsBetween(start: number, end: number): number[] {
  const near = 12;
  const step = 101;
  return Array.from({ length: end - start + 1 }, (_, at) => start + at).filter(
    (at) => at - start < near || end - at < near || (at - start) % step === 0,
  );
}

const lanes = 6;

/** A few at a time: most of their time goes into waiting for the disk. Rejects once all have ended. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
