import { callErrorOf, isObject, parseJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { EngineFailed, malformed } from './engine-failed.ts';

/** Events of a stream as JSON. @throws EngineFailed for one that tells a failure, or nothing */
export function eventsOf(batch: readonly string[]): readonly JsonObject[] {
  const all = parseJson(`[${batch.join(',')}]`);
  const isPlain =
    Array.isArray(all) &&
    all.length === batch.length &&
    all.every((event) => isObject(event) && event['error'] == null);
  return isPlain ? all : batch.map(eventOf);
}

/** One event of a stream as JSON. @throws EngineFailed for one that tells a failure, or nothing */
export function eventOf(data: string): JsonObject {
  const event = parseJson(data);
  if (!isObject(event)) throw malformed(`the engine streamed ${data.slice(0, 200)}`);
  if (event['error'] === undefined || event['error'] === null) return event;
  throw new EngineFailed(callErrorOf({ status: 200, headers: [] }, event));
}

/** Bytes of a stream behind its last event that is whole; `before`: those that stood there before `bytes` came. */
export function unfinishedBytes(bytes: Buffer, before: number): number {
  for (const ending of ['\n\n', '\n\r\n']) {
    const found = bytes.lastIndexOf(ending);
    if (found >= 0) return bytes.length - found - ending.length;
  }
  return before + bytes.length;
}
