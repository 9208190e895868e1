import type { EpisodeRecord } from '@vf/core';
import type { Secrets } from '@vf/run';

export interface MaskedRecord {
  readonly record: EpisodeRecord;
  /** How many values were hidden. */
  readonly count: number;
}

/** The record with every secret in its texts as `«NAME»`; the same object when it holds none. */
export function maskRecord(record: EpisodeRecord, secrets: Secrets): MaskedRecord {
  let count = 0;
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const found = secrets.maskCounted(value);
      count += found.count;
      return found.text;
    }
    if (Array.isArray(value))
      return value.some(isNumber) ? value : unchanged(value, value.map(masked));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, masked(item)] as const);
    return entries.every(([key, item]) => item === (value as EpisodeRecord)[key])
      ? value
      : Object.fromEntries(entries);
  };
  return { record: masked(record) as EpisodeRecord, count };
}

function unchanged(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

/** Lists of token ids are long and hold no text. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
