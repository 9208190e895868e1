import { open } from 'node:fs/promises';
import { written } from './whole-file.ts';

/** Bytes that are kept back before they are written: a line may be far longer. */
const chunkBytes = 1 << 16;

/**
 * Writes texts to a file one after the other, as fast as the disk takes them; line ends are the texts' own.
 * The file is there whole at the end, or not at all.
 * @returns how many texts were written
 * @throws the signal's reason once it aborts, and what `texts` throws
 */
export async function writeTexts(
  path: string,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  return written(path, async (part) => {
    const file = await open(part, 'wx');
    try {
      let count = 0;
      let waiting: string[] = [];
      let size = 0;
      for await (const text of texts) {
        signal.throwIfAborted();
        count++;
        waiting.push(text);
        size += text.length;
        if (size < chunkBytes) continue;
        await file.writeFile(waiting.join(''));
        waiting = [];
        size = 0;
      }
      signal.throwIfAborted();
      await file.writeFile(waiting.join(''));
      await file.datasync();
      return count;
    } finally {
      await file.close();
    }
  });
}

/** Writes each value as a line of JSON. See `writeTexts`. */
export function writeJsonLines(
  path: string,
  values: AsyncIterable<object>,
  signal: AbortSignal,
): Promise<number> {
  return writeTexts(path, linesOf(values), signal);
}

async function* linesOf(values: AsyncIterable<object>): AsyncGenerator<string, void> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}
