import type { WeightSpan } from '../../contract/turn-tokens.ts';
import type { Kind } from './fields.ts';

/** Spans lie end to end from 0: a version and where it ends say all. */
type WeightEnds = readonly (readonly [version: string, end: number])[];

export const weightEnds: Kind<WeightEnds> = {
  name: 'a list of versions and where they end, in their order',
  is(value): value is WeightEnds {
    if (!Array.isArray(value)) return false;
    return value.every((item: unknown, at) => isEnd(item) && item[1] >= endBefore(value, at));
  },
};

function isEnd(item: unknown): item is readonly [string, number] {
  return (
    Array.isArray(item) &&
    item.length === 2 &&
    typeof item[0] === 'string' &&
    Number.isSafeInteger(item[1])
  );
}

function endBefore(items: readonly unknown[], at: number): number {
  const before = items[at - 1];
  return isEnd(before) ? before[1] : 0;
}

export function writeWeights(spans: readonly WeightSpan[] | undefined): WeightEnds | undefined {
  return spans?.map(({ version, end }) => [version, end]);
}

export function readWeights(ends: WeightEnds): readonly WeightSpan[] {
  return ends.map(([version, end], at) => ({ version, start: endBefore(ends, at), end }));
}
