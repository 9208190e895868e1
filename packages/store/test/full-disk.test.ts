import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeEpisode } from '@vf/core/trace';
import { RunWriter, readIndex } from '../src/index.ts';
import { Child } from './child.ts';
import { episodeOf, outputFolder } from './folder.ts';

test(
  'a full disk ends in store/disk_full with every acknowledged episode whole',
  { timeout: 60_000 },
  async () => {
    const dir = join(outputFolder(), 'run');
    const child = new Child(
      new URL('./children/append.ts', import.meta.url),
      [dir, '0', '1000', '70000'],
      'ulimit -f 1000',
    );
    expect(await child.ended()).toBe(4);
    const code = child.lines.pop();
    expect(code).toBe('store/disk_full');

    const text = readFileSync(join(dir, 'traces.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const ids = text
      .split('\n')
      .slice(0, -1)
      .map((line) => decodeEpisode(JSON.parse(line)).id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.toSorted()).toEqual(child.lines.toSorted());

    const writer = await RunWriter.resume(dir);
    expect(writer.repairs).toEqual([]);
    await writer.append(episodeOf('after'));
    await writer.close();
    expect(await readIndex(dir)).toHaveLength(ids.length + 1);
  },
);

test('a disk that is full from the start refuses the run', { timeout: 30_000 }, async () => {
  const dir = join(outputFolder(), 'run');
  const child = new Child(new URL('./children/create.ts', import.meta.url), [dir], 'ulimit -f 0');
  await child.ended();
  expect(child.lines).toEqual(['store/disk_full']);
});
