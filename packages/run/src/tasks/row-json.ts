import type { Problem } from '@vf/core/errors';

/**
 * The first value of a row that no record of it could hold: a BigInt, a number that is none, a value inside itself, one
 * that cannot be read. What JSON writes in its own way (dates, buffers) may be there.
 */
export function unwritable(value: unknown, path: string): Problem | null {
  return search(value, path, []);
}

function search(value: unknown, path: string, within: readonly object[]): Problem | null {
  if (typeof value === 'bigint') return { path, message: `a BigInt, ${value}, is no JSON` };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path, message: `${value} is no JSON` };
  if (typeof value !== 'object' || value === null) return null;
  if (within.includes(value)) return { path, message: 'is inside itself, which is no JSON' };
  if (within.length >= deepest) return { path, message: `is nested ${deepest} deep` };
  if ('toJSON' in value && typeof value.toJSON === 'function') return null;
  if (ArrayBuffer.isView(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = search(item, `${path}.${key}`, [...within, value]);
    if (found !== null) return found;
  }
  return null;
}

/** JSON itself is written with a stack of calls, which has an end. */
const deepest = 500;
