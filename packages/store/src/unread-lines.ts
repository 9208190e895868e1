import { stat } from 'node:fs/promises';
import type { Problem } from '@vf/core/errors';
import { orMissing } from './files/disk-error.ts';
import { openToRead } from './files/plain-file.ts';
import { pathIn } from './folder/layout.ts';
import { headOf, isDamagedLine } from './index-file/entry-line.ts';
import type { DamagedLine } from './index-file/entry-line.ts';
import { scanIndex } from './index-file/scan-index.ts';
import { scanTraces } from './index-file/scan-traces.ts';

/**
 * Lines of `traces.jsonl` that hold no episode and that no resume has told of yet: those which the index does not name.
 * With a whole index its end alone is read.
 * @throws VfError store/newer_version
 */
export async function unreadLines(dir: string): Promise<Problem[]> {
  if (await isIndexed(dir)) return [];
  const { tracesEnd } = await scanIndex(dir, () => undefined, { mayLackTraces: true });
  const problems: Problem[] = [];
  for await (const entry of scanTraces(dir, tracesEnd))
    if (isDamagedLine(entry)) problems.push(unreadable(dir, entry));
  return problems;
}

export function unreadable(dir: string, { offset, damaged }: DamagedLine): Problem {
  return {
    file: pathIn(dir, 'traces'),
    message: `the line at byte ${offset} cannot be read and does not count: ${damaged}`,
  };
}

/** More than a line of the index is long, whatever the task's rewards. */
const lastBytes = 64 * 1024;

/** Does the last line of the index name the last of `traces.jsonl`? */
async function isIndexed(dir: string): Promise<boolean> {
  const [traces, index] = await Promise.all(
    (['traces', 'index'] as const).map((name) => orMissing(() => stat(pathIn(dir, name)))),
  );
  if (!traces || (traces.isFile() && traces.size === 0)) return true;
  if (!index) return false;
  const file = await openToRead(pathIn(dir, 'index'));
  if (file === null) return false;
  try {
    const start = Math.max(0, index.size - lastBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lastBytes), 0, lastBytes, start);
    const lines = buffer.subarray(0, bytesRead);
    if (lines.at(-1) !== newline) return false;
    const head = headOf(lines.subarray(lines.lastIndexOf(newline, -2) + 1, -1));
    return head !== null && head.offset + head.length + 1 === traces.size;
  } finally {
    await file.close();
  }
}

const newline = 0x0a;
