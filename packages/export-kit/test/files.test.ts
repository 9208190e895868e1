import { mkdir, mkdtemp, readFile, readdir, rm, writeFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLines, writeJsonLines, writeTexts, written } from '../src/index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-kit-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void> {
  for (const item of items) yield await Promise.resolve(item);
}

async function linesIn(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(path)) lines.push(line);
  return lines;
}

test('lines end at line feeds alone, wherever a chunk is cut', async () => {
  const path = join(folder, 'lines');
  const long = `${'é😀'.repeat(100_000)}\u2028\r`;
  await writeFile(path, `a\n\n${long}\nlast`);
  expect(await linesIn(path)).toEqual(['a', '', long, 'last']);
});

test('what is written as JSON lines is read again', async () => {
  const path = join(folder, 'json');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string())),
      async (values) => {
        expect(await writeJsonLines(path, each(values), signal)).toBe(values.length);
        const lines = await linesIn(path);
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('a file that was there stays when the new one fails, and is replaced when it does not', async () => {
  const path = join(folder, 'kept');
  await writeFile(path, 'old');
  async function* failing(): AsyncGenerator<string, void> {
    yield* each(['half']);
    throw new Error('no more');
  }
  await expect(writeTexts(path, failing(), signal)).rejects.toThrow('no more');
  expect(await readFile(path, 'utf8')).toBe('old');
  await writeTexts(path, each(['new']), signal);
  expect(await readFile(path, 'utf8')).toBe('new');
});

test('a device stays what it is', async () => {
  await expect(written('/dev/null', (part) => writeFile(part, 'x'))).rejects.toMatchObject({
    code: 'store/not_writable',
  });
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('a folder that fails is removed whole', async () => {
  const place = join(folder, 'place');
  await mkdir(place);
  const failing = written(join(place, 'out'), async (part) => {
    await mkdir(part);
    await writeFile(join(part, 'one'), '1');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(place)).toEqual([]);
});
