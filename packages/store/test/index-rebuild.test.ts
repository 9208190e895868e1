import {
  appendFileSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { episodeToLine } from '@vf/core/trace';
import {
  RunWriter,
  episodes,
  indexEntryOf,
  readEpisode,
  readIndex,
  unreadLines,
} from '../src/index.ts';
import type { IndexEntry } from '../src/index.ts';
import { entryToLine } from '../src/index-file/entry-line.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

async function runOf(count: number): Promise<{ dir: string; entries: IndexEntry[] }> {
  const writer = await newRun(outputFolder());
  const all = Array.from({ length: count }, (_, at) => episodeOf(`task-${at}`));
  const entries = await Promise.all(
    all.map(async (episode) => indexEntryOf(episode, await writer.append(episode))),
  );
  await writer.close();
  return { dir: writer.dir, entries };
}

function indexOf(dir: string): string {
  return join(dir, 'traces.index.jsonl');
}

async function resumed(dir: string): Promise<readonly string[]> {
  const writer = await RunWriter.resume(dir);
  await writer.close();
  return writer.repairs.map(({ message }) => message);
}

describe('the index', () => {
  test('says what indexEntryOf says, in the order of the file', async () => {
    const { dir, entries } = await runOf(20);
    expect(await readIndex(dir)).toEqual(entries);
    expect(readFileSync(indexOf(dir), 'utf8')).toBe(
      entries.map((entry) => `${entryToLine(entry)}\n`).join(''),
    );
  });

  test('has a place for each episode', async () => {
    const { dir, entries } = await runOf(3);
    for (const entry of entries) {
      const episode = await readEpisode(dir, entry);
      expect(episode.id).toBe(entry.episode);
      expect(Buffer.byteLength(episodeToLine(episode))).toBe(entry.length);
    }
  });

  test('that is missing is read from the episodes; only a resume writes it', async () => {
    const { dir, entries } = await runOf(5);
    rmSync(indexOf(dir));
    expect(await readIndex(dir)).toEqual(entries);
    expect(readdirSync(dir)).not.toContain('traces.index.jsonl');
    expect(await resumed(dir)).toEqual([]);
    expect(readFileSync(indexOf(dir), 'utf8').split('\n')).toHaveLength(6);
  });

  test(
    'that was cut or overwritten at any byte reads the same, and is mended by a resume',
    { timeout: 60_000 },
    async () => {
      const { dir, entries } = await runOf(6);
      const whole = readFileSync(indexOf(dir));
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: whole.length - 1 }),
          fc.constantFrom('cut', 'zero', 'newline', 'text', 'letter'),
          fc.nat({ max: 400 }),
          async (at, damage, length) => {
            const bytes = Buffer.from(whole);
            const end = Math.min(at + length, bytes.length);
            if (damage === 'zero') bytes.fill(0, at, end);
            if (damage === 'newline') bytes.fill('\n', at, at + 1);
            if (damage === 'text') bytes.fill('{"task":', at, end);
            if (damage === 'letter') bytes[at] = (bytes[at] ?? 0) ^ 1;
            writeFileSync(indexOf(dir), damage === 'cut' ? bytes.subarray(0, at) : bytes);
            expect(await readIndex(dir)).toEqual(entries);
            await resumed(dir);
            expect(readFileSync(indexOf(dir))).toEqual(whole);
          },
        ),
        { numRuns: 100 },
      );
    },
  );

  test('with one bit of any byte changed reads the same', { timeout: 60_000 }, async () => {
    const { dir, entries } = await runOf(1);
    const whole = readFileSync(indexOf(dir));
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(indexOf(dir), bytes);
      expect(await readIndex(dir), `byte ${at}`).toEqual(entries);
    }
  });

  test('of the time before lines had sums is read, kept and gone on with', async () => {
    const { dir, entries } = await runOf(3);
    const [first, second, third] = entries.map((entry) => JSON.stringify(entry));
    writeFileSync(indexOf(dir), `${first}\n${second}\n`);
    expect(await readIndex(dir)).toEqual(entries);
    await resumed(dir);
    const lines = readFileSync(indexOf(dir), 'utf8').split('\n');
    expect(lines.slice(0, 2)).toEqual([first, second]);
    expect(lines[2]).toMatch(/"model_seconds":1,"crc":"[0-9a-f]{8}"\}$/);
    expect(await readIndex(dir)).toEqual(entries);
    const cut = `${second?.slice(0, -20)}}`;
    writeFileSync(indexOf(dir), `${first}\n${cut}\n${third}\n`);
    expect(await readIndex(dir)).toEqual(entries);
  });

  test('of another file of episodes is not believed', async () => {
    const { dir, entries } = await runOf(4);
    const other = await runOf(7);
    writeFileSync(indexOf(dir), readFileSync(indexOf(other.dir)));
    writeFileSync(join(dir, 'traces.jsonl'), readFileSync(join(dir, 'traces.jsonl')));
    expect((await readIndex(dir)).slice(0, 4)).toEqual(entries);
    expect(await readIndex(dir)).toHaveLength(4);
  });
});

describe('traces.jsonl', () => {
  test(
    'cut at any byte keeps what was whole; resume puts the rest aside',
    { timeout: 60_000 },
    async () => {
      const { dir, entries } = await runOf(3);
      const path = join(dir, 'traces.jsonl');
      const whole = readFileSync(path);
      const index = readFileSync(indexOf(dir));
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: whole.length }), async (at) => {
          writeFileSync(path, whole.subarray(0, at));
          writeFileSync(indexOf(dir), index);
          const kept = entries.filter(({ offset, length }) => offset + length + 1 <= at);
          expect(await readIndex(dir)).toEqual(kept);
          const repairs = await resumed(dir);
          const after = readFileSync(path);
          const isComplete = entries.some(({ offset, length }) => offset + length === at);
          expect(await readIndex(dir)).toEqual(entries.slice(0, kept.length + Number(isComplete)));
          const end =
            kept.at(-1) === undefined
              ? 0
              : (kept.at(-1)?.offset ?? 0) + (kept.at(-1)?.length ?? 0) + 1;
          const isTorn = at !== end && !isComplete;
          const repair = expect.stringContaining(`its ${at - end} bytes`) as string;
          expect(repairs).toEqual(isTorn ? [repair] : []);
          expect(after.length).toBe(isComplete ? at + 1 : end);
          const side = isTorn ? readFileSync(`${path}.cut-${end}`) : whole.subarray(end, at);
          expect(side).toEqual(whole.subarray(end, at));
        }),
        { numRuns: 60 },
      );
    },
  );

  test('a line that cannot be read does not count and is named once', async () => {
    const { dir, entries } = await runOf(3);
    const [first, second, third] = entries;
    const path = join(dir, 'traces.jsonl');
    const bytes = readFileSync(path);
    bytes.fill('x', second?.offset, (second?.offset ?? 0) + 5);
    writeFileSync(path, bytes);
    rmSync(indexOf(dir));
    expect(await readIndex(dir)).toEqual([first, third]);
    expect(await resumed(dir)).toEqual([expect.stringContaining(`at byte ${second?.offset}`)]);
    expect(await resumed(dir)).toEqual([]);
    expect(await readIndex(dir)).toEqual([first, third]);
  });

  test('a line damaged behind a whole index is placed by its reader and found by a thorough resume', async () => {
    const { dir, entries } = await runOf(3);
    const [first, second, third] = entries;
    if (second === undefined) throw new Error('no entry');
    const path = join(dir, 'traces.jsonl');
    const bytes = readFileSync(path);
    bytes.fill('x', second.offset + 40, second.offset + 60);
    writeFileSync(path, bytes);
    const where = expect.stringContaining(`${path}, the line at byte ${second.offset}`) as string;
    await expect(readEpisode(dir, second)).rejects.toMatchObject({
      code: 'store/damaged',
      message: where,
      hint: expect.stringContaining(' --check') as string,
    });
    expect(await resumed(dir)).toEqual([]);
    const writer = await RunWriter.resume(dir, { isThorough: true });
    await expect(writer.read(second)).rejects.toMatchObject({ message: where });
    await writer.close();
    expect(writer.repairs.map(({ message }) => message)).toEqual([
      expect.stringContaining(`at byte ${second.offset}`),
    ]);
    expect(await readIndex(dir)).toEqual([first, third]);
  });

  test('what the index does not name is told by readers until a resume has marked it', async () => {
    const { dir, entries } = await runOf(3);
    const path = join(dir, 'traces.jsonl');
    const bytes = readFileSync(path);
    bytes.fill('x', entries[1]?.offset, (entries[1]?.offset ?? 0) + 5);
    expect(await unreadLines(dir)).toEqual([]);
    writeFileSync(path, bytes);
    rmSync(indexOf(dir));
    const told = [
      { file: path, message: expect.stringContaining(`at byte ${entries[1]?.offset}`) },
    ];
    expect(await unreadLines(dir)).toEqual(told);
    writeFileSync(indexOf(dir), '');
    expect(await unreadLines(dir)).toEqual(told);
    await resumed(dir);
    expect(await unreadLines(dir)).toEqual([]);
  });

  test('an episode of a newer vf is refused, not skipped', async () => {
    const { dir } = await runOf(1);
    const line = episodeToLine(episodeOf('newer')).replace('"version":1', '"version":99');
    appendFileSync(join(dir, 'traces.jsonl'), `${line}\n`);
    await expect(readIndex(dir)).rejects.toMatchObject({ code: 'store/newer_version' });
    await expect(RunWriter.resume(dir)).rejects.toMatchObject({ code: 'store/newer_version' });
  });
});

describe('many episodes', () => {
  const count = 100_000;

  test('100,000 are read from the index alone', { timeout: 60_000 }, async () => {
    const { dir, entries } = await runOf(1);
    const [entry] = entries;
    if (entry === undefined) throw new Error('no entry');
    const lines = Array.from({ length: count }, (_, at) =>
      entryToLine({ ...entry, task: `task-${at}`, offset: at * (entry.length + 1) }),
    );
    writeFileSync(indexOf(dir), `${lines.join('\n')}\n`);
    // A hole where the episodes would be: reading one of them would fail.
    truncateSync(join(dir, 'traces.jsonl'), 0);
    truncateSync(join(dir, 'traces.jsonl'), count * (entry.length + 1));
    const read = await readIndex(dir);
    expect(read).toHaveLength(count);
    expect(read.at(-1)).toEqual({
      ...entry,
      task: `task-${count - 1}`,
      offset: (count - 1) * (entry.length + 1),
    });
  });
});

describe('attempts played again', () => {
  test('the last episode of a task and attempt counts', async () => {
    const writer = await newRun(outputFolder());
    await writer.append(episodeOf('a', 1, { rewards: { correct: 0 } }));
    await writer.append(episodeOf('b', 1));
    await writer.append(episodeOf('a', 1, { rewards: { correct: 1 } }));
    await writer.append(episodeOf('a', 2, { rewards: { correct: 0 } }));
    const inMemory = await readIndex(writer.dir);
    await writer.close();
    const entries = await readIndex(writer.dir);
    expect(entries).toEqual(inMemory);
    expect(entries.map(({ task, attempt, reward }) => [task, attempt, reward])).toEqual([
      ['b', 1, 1],
      ['a', 1, 1],
      ['a', 2, 0],
    ]);
    const read: string[] = [];
    for await (const episode of episodes(writer.dir)) read.push(episode.task.key);
    expect(read).toEqual(['b', 'a', 'a']);
  });
});
