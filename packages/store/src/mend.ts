import { appendFile, open, stat, truncate, writeFile } from 'node:fs/promises';
import type { Problem } from '@vf/core/errors';
import { errnoOf, orMissing } from './files/disk-error.ts';
import { linesOf } from './files/read-lines.ts';
import { pathIn } from './folder/layout.ts';
import { damagedToLine, entryToLine, isDamagedLine } from './index-file/entry-line.ts';
import { scanIndex } from './index-file/scan-index.ts';
import { scanLine, scanTraces } from './index-file/scan-traces.ts';
import { unreadable } from './unread-lines.ts';

/**
 * Puts a run folder in order after a crash: cuts what was not written to its end and completes the index.
 * Only for who holds the lock.
 * @param isThorough reads every episode and writes the whole index anew; else lines that the index names are believed
 * @returns what was found and done
 * @throws VfError store/newer_version
 */
export async function mend(dir: string, isThorough = false): Promise<Problem[]> {
  const missing = await missingTraces(dir);
  if (isThorough) await emptied(pathIn(dir, 'index'));
  const torn = await mendTraces(dir);
  await cutTornLine(pathIn(dir, 'groups'));
  return [...missing, ...torn, ...(await mendIndex(dir))];
}

async function emptied(path: string): Promise<void> {
  await truncate(path).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
}

/** The index alone can be read, but not gone on with: it would say that episodes are done which are nowhere. */
async function missingTraces(dir: string): Promise<Problem[]> {
  const traces = pathIn(dir, 'traces');
  if ((await orMissing(() => stat(traces))) !== null) return [];
  const index = await orMissing(() => stat(pathIn(dir, 'index')));
  if (index === null || index.size === 0) return [];
  return [
    { file: traces, message: 'it is not there; the episodes that its index names count no more' },
  ];
}

/** A last line without its end goes to a file of its own, so that nothing is lost for good. */
async function mendTraces(dir: string): Promise<Problem[]> {
  const path = pathIn(dir, 'traces');
  const { tracesEnd } = await scanIndex(dir, () => undefined);
  for await (const { bytes, offset, length, isWhole } of linesOf(path, tracesEnd)) {
    if (isWhole) continue;
    if (!isDamagedLine(scanLine(bytes.toString('utf8'), { offset, length }))) {
      await appendFile(path, '\n');
      return [];
    }
    const side = `${path}.cut-${offset}`;
    await writeFile(side, bytes);
    await truncate(path, offset);
    return [
      { file: path, message: `the last line was not whole; its ${length} bytes are in ${side}` },
    ];
  }
  return [];
}

async function cutTornLine(path: string): Promise<void> {
  for await (const { offset, isWhole } of linesOf(path)) if (!isWhole) await truncate(path, offset);
}

async function mendIndex(dir: string): Promise<Problem[]> {
  const path = pathIn(dir, 'index');
  const size = await orMissing(() => stat(path));
  const { indexEnd, tracesEnd } = await scanIndex(dir, () => undefined, { isThorough: true });
  const problems: Problem[] = [];
  if (size !== null && size.size > indexEnd) await truncate(path, indexEnd);
  const file = await open(path, 'a');
  try {
    for await (const entry of scanTraces(dir, tracesEnd)) {
      await file.appendFile(
        `${isDamagedLine(entry) ? damagedToLine(entry) : entryToLine(entry)}\n`,
      );
      if (!isDamagedLine(entry)) continue;
      problems.push(unreadable(dir, entry));
    }
  } finally {
    await file.close();
  }
  return problems;
}
