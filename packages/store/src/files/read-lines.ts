import { readError } from './disk-error.ts';
import type { LinePlace } from './line-file.ts';
import { openToRead } from './plain-file.ts';

/** A line with its place; `isWhole` is false for a last one without a newline. */
export interface Line extends LinePlace {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const chunkSize = 1024 * 1024;

/**
 * The lines of a file from a byte on, a batch per chunk read, so that memory stays flat. Nothing when
 * there is no such file. The bytes of a line are only valid until the next batch is asked for.
 * @throws VfError store/damaged when it is no file, or cannot be read
 */
export async function* lineBatches(path: string, from = 0): AsyncGenerator<readonly Line[], void> {
  const file = await openToRead(path);
  if (file === null) return;
  try {
    let buffer: Buffer = Buffer.allocUnsafe(chunkSize);
    let offset = from;
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file
        .read(buffer, filled, buffer.length - filled, offset + filled)
        .catch((error: unknown) => {
          throw readError(error, path);
        });
      const scanFrom = filled;
      filled += bytesRead;
      if (bytesRead === 0) break;
      const { lines, used } = wholeLines(buffer.subarray(0, filled), scanFrom, offset);
      if (lines.length > 0) yield lines;
      buffer = used === 0 && filled === buffer.length ? doubled(buffer) : buffer;
      buffer.copyWithin(0, used, filled);
      offset += used;
      filled -= used;
    }
    if (filled > 0) {
      yield [{ offset, length: filled, bytes: buffer.subarray(0, filled), isWhole: false }];
    }
  } finally {
    await file.close();
  }
}

/** The lines of a file one by one; see `lineBatches`. */
export async function* linesOf(path: string, from = 0): AsyncGenerator<Line, void> {
  for await (const batch of lineBatches(path, from)) yield* batch;
}

const newline = 0x0a;

/** @param scanFrom where the bytes not looked at yet begin */
function wholeLines(
  bytes: Buffer,
  scanFrom: number,
  offset: number,
): { readonly lines: Line[]; readonly used: number } {
  const lines: Line[] = [];
  let used = 0;
  let end = bytes.indexOf(newline, scanFrom);
  while (end >= 0) {
    lines.push({
      offset: offset + used,
      length: end - used,
      bytes: bytes.subarray(used, end),
      isWhole: true,
    });
    used = end + 1;
    end = bytes.indexOf(newline, used);
  }
  return { lines, used };
}

function doubled(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
