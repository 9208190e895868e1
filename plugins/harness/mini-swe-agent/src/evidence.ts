import type { RuntimeApi, Segment } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { listOf, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import { lastLines } from '@vf/harness-kit';

/** How a run of it ended, by its own record. */
export interface Ending {
  /** `Submitted`, the name of a limit or format trouble, or of an exception. */
  readonly status: string;
  /** Of an exception. */
  readonly words: string | null;
}

/** Its own bounds: the agent was stopped, nothing broke. */
const bounds = ['LimitsExceeded', 'TimeExceeded', 'RepeatedFormatError'];

/** Reads the trajectory; null when there is none or it is not finished. */
export function endingOf(trajectory: string): Ending | null {
  const record = objectOf(parseJson(trajectory));
  const status = stringOf(objectOf(record['info'])['exit_status']);
  if (status === null || status === '') return null;
  const last = objectOf(objectOf(listOf(record['messages']).at(-1))['extra']);
  return { status, words: stringOf(last['exception_str']) };
}

/** The most of its record that is read, in bytes: whole conversations stand in it. */
const maxBytes = 256 << 20;

export async function readEnding(
  runtime: RuntimeApi,
  path: string,
  signal: AbortSignal,
): Promise<Ending | null> {
  try {
    return endingOf(Buffer.from(await runtime.read(path, { maxBytes, signal })).toString());
  } catch (error) {
    if (VfError.isInstance(error) && error.code.startsWith('runtime/file_')) return null;
    throw error;
  }
}

/** The record goes before the exit code, which is 0 for a run that a bound stopped. */
export function judged(segment: Segment, ending: Ending | null): Segment {
  if (ending === null || ending.status === 'Submitted') return segment;
  if (bounds.includes(ending.status)) return { ...segment, detail: `stopped: ${ending.status}` };
  const words = ending.words === null ? ending.status : `${ending.status}: ${ending.words}`;
  return { ...segment, status: 'failed', detail: lastLines(words) };
}
