import { isObject, listOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Where each type of entry that comes in fragments keeps its text. */
const textKeys: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
};
const none: readonly JsonObject[] = [];
const identifying = ['id', 'index', 'format'];

/**
 * `reasoning_details` (OpenRouter's spelling) with fragments joined: consecutive entries of one type whose id, index
 * and format do not conflict. Signatures and encrypted data stay as they came.
 */
export function joinDetails(more: unknown): readonly JsonObject[] {
  if (!Array.isArray(more)) return none;
  const joined: JsonObject[] = [];
  addDetails(joined, more);
  return joined;
}

/** Adds entries to a list that is joined already. */
export function addDetails(joined: JsonObject[], more: unknown): void {
  for (const entry of listOf(more)) {
    if (!isObject(entry)) continue;
    const last = joined.at(-1);
    const key = textKeys[String(entry['type'])];
    if (last !== undefined && key !== undefined && continues(last, entry)) {
      joined[joined.length - 1] = join(last, entry, key);
    } else {
      joined.push(entry);
    }
  }
}

/** The readable text of entries, in order. */
export function detailsText(details: unknown): string {
  let text = '';
  for (const entry of listOf(details)) {
    if (!isObject(entry)) continue;
    text += stringOf(entry[textKeys[String(entry['type'])] ?? '']) ?? '';
  }
  return text;
}

function continues(last: JsonObject, entry: JsonObject): boolean {
  if (last['type'] !== entry['type']) return false;
  return identifying.every(
    (key) => last[key] == null || entry[key] == null || last[key] === entry[key],
  );
}

function join(last: JsonObject, entry: JsonObject, key: string): JsonObject {
  const said = Object.entries(entry).filter(([, value]) => value !== null);
  const text = (stringOf(last[key]) ?? '') + (stringOf(entry[key]) ?? '');
  return { ...last, ...Object.fromEntries(said), [key]: text };
}
