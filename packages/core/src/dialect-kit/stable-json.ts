import { sortedJson } from '../trace/canonical-json.ts';

/** JSON of a value with its keys sorted and null fields left out; `null` when it is nested too deep for the stack. */
export function stableJson(value: unknown): string | null {
  try {
    return sortedJson(value ?? null);
  } catch {
    return null;
  }
}

/** Are two JSON values equal, whatever the order of their keys? No, when they are nested too deep to be compared. */
export function sameJson(a: unknown, b: unknown): boolean {
  const json = stableJson(a);
  return json !== null && json === stableJson(b);
}
