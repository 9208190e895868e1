import { isObject } from '@vf/core/dialect';

/** The sum of these counts of a reply's usage; null when it has none. */
export function tokensOf(usage: unknown, keys: readonly string[]): number | null {
  if (!isObject(usage)) return null;
  const counts = keys.map((key) => usage[key]).filter((count) => typeof count === 'number');
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
