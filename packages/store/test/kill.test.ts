import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunWriter, isLive, readIndex } from '../src/index.ts';
import { Child } from './child.ts';
import { outputFolder } from './folder.ts';

const rounds = 10;
/** Characters of a reply: the larger a line, the more often a kill tears it. */
const sizes = [10, 5_000, 1_000_000];

/** The whole lines of a run's `traces.jsonl`; what follows the last newline is left out. */
function wholeLines(dir: string): string[] {
  return readFileSync(join(dir, 'traces.jsonl'), 'utf8').split('\n').slice(0, -1);
}

test(
  'a run that is killed again and again loses nothing that was acknowledged',
  { timeout: 120_000 },
  async () => {
    const dir = join(outputFolder(), 'run');
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const size = sizes[round % sizes.length] ?? 0;
      const child = new Child(new URL('./children/append.ts', import.meta.url), [
        dir,
        String(round * 1e6),
        '1000000',
        String(size),
      ]);
      await child.printed(1);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      await child.kill();
      acknowledged.push(...child.lines);

      const ids = wholeLines(dir).map((line) => (JSON.parse(line) as { id: string }).id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      const before = await readIndex(dir);
      expect(before.map(({ episode }) => episode)).toEqual(ids);
      expect(await isLive(dir)).toBe(false);

      const writer = await RunWriter.resume(dir);
      expect(await readIndex(dir)).toEqual(before);
      await writer.close();
      expect(readFileSync(join(dir, 'traces.jsonl')).at(-1)).toBe(0x0a);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);
  },
);
