import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunWriter, readIndex } from '../src/index.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

/** A run whose traces were left behind when its folder was copied. */
async function withoutTraces(): Promise<string> {
  const writer = await newRun(outputFolder());
  for (const key of ['a', 'b']) await writer.append(episodeOf(key));
  await writer.append(episodeOf('a'));
  await writer.close();
  rmSync(join(writer.dir, 'traces.jsonl'));
  return writer.dir;
}

test('the index alone is read as it is: the last line of each task and attempt', async () => {
  const dir = await withoutTraces();
  const entries = await readIndex(dir);
  expect(entries.map(({ task }) => task)).toEqual(['b', 'a']);
});

test('a resume does not take episodes for done whose traces are gone', async () => {
  const dir = await withoutTraces();
  const writer = await RunWriter.resume(dir);
  await writer.close();
  expect(writer.repairs).toMatchObject([{ file: join(dir, 'traces.jsonl') }]);
  expect(await readIndex(dir)).toEqual([]);
});

test('a line that cannot be read says what would help', async () => {
  const dir = await withoutTraces();
  const path = join(dir, 'traces.index.jsonl');
  const [first = '', ...rest] = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, [first.slice(0, -20), ...rest, ''].join('\n'));
  await expect(readIndex(dir)).rejects.toMatchObject({ code: 'store/damaged' });
});

test('a last line that was not written to its end does not count', async () => {
  const dir = await withoutTraces();
  appendFileSync(join(dir, 'traces.index.jsonl'), '{"task":"c","attempt":1');
  expect(await readIndex(dir)).toHaveLength(2);
});
