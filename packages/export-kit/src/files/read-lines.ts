import { createReadStream } from 'node:fs';

/**
 * The lines of a file, split at line feeds alone: JSON may hold the other line ends of Unicode as they are. The last
 * one needs no line feed.
 */
export async function* readLines(path: string): AsyncGenerator<string, void> {
  for await (const line of readByteLines(path)) yield line.toString('utf8');
}

/** The same as they stand in the file, which need be no text. */
export async function* readByteLines(path: string): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    let rest = chunk as Buffer;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const lineFeed = 0x0a;
