import type { Problem } from '@vf/core/errors';
import { fieldsAt, flat } from '../compare/fields.ts';
import type { Scorers } from './scorers.ts';

/** Each scorer that is new, gone, or has another weight or code; none when the plan is from before vf kept them. */
export function scorerDifferences(stored: object, now: Scorers): Problem[] {
  if (Object.keys(stored).length === 0) return [];
  const [before, after] = [stored, now].map((scorers) =>
    flat(fieldsAt({ scorers }, 'scorers'), 'scorers'),
  ) as [Record<string, unknown>, Record<string, unknown>];
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => ({ path, message: `${shown(before[path])} → ${shown(after[path])}` }));
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
