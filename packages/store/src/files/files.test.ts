import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LineFile } from './line-file.ts';
import { lineBatches, linesOf } from './read-lines.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vf-files-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Of small files: the bytes of a line do not outlive its batch. */
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const anyLine = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) => text.replaceAll('\n', ' '));

test('lines come back as they were appended, each at its place', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 30 }), async (lines) => {
      const path = join(dir, `lines-${count++}`);
      const file = await LineFile.open(path);
      const places = await Promise.all(lines.map((line) => file.append(line)));
      const read = await Promise.all(places.map((place) => file.read(place)));
      await file.close();
      expect(read).toEqual(lines.map((line) => line.toWellFormed()));
      const found: unknown[] = [];
      for await (const { offset, length, isWhole } of linesOf(path))
        found.push({ offset, length, isWhole });
      expect(found).toEqual(places.map((place) => ({ ...place, isWhole: true })));
    }),
    { numRuns: 50 },
  );
});

test('lines appended in one turn of the event loop are one write', async () => {
  const file = await LineFile.open(join(dir, 'turn'));
  const order: string[] = [];
  const first = file.append('a').then(() => order.push('a'));
  const second = file.append('b').then(() => order.push('b'));
  expect(file.end).toBe(0);
  await Promise.all([first, second]);
  expect(order).toEqual(['a', 'b']);
  expect(readFileSync(file.path, 'utf8')).toBe('a\nb\n');
  await file.close();
});

test('lines longer than a chunk, and from the middle of a file, are read whole', async () => {
  const path = join(dir, 'long');
  const lines = ['short', 'x'.repeat(5_000_000), '', 'y'.repeat(1024 * 1024), 'torn'];
  writeFileSync(path, lines.join('\n'));
  const read: string[] = [];
  for await (const batch of lineBatches(path)) {
    for (const { bytes, isWhole } of batch) read.push(`${bytes.length} ${isWhole}`);
  }
  expect(read).toEqual(['5 true', '5000000 true', '0 true', '1048576 true', '4 false']);
  const [middle] = await all(linesOf(path, 6));
  expect(middle).toMatchObject({ offset: 6, length: 5_000_000 });
});

test('a file that is not there has no lines', async () => {
  expect(await all(linesOf(join(dir, 'missing')))).toEqual([]);
});
