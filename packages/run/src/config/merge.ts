import type { Layer } from './layers.ts';
import { describeSource } from './source.ts';
import type { Written } from './source.ts';

export interface Merged {
  readonly values: ReadonlyMap<string, Written>;
  /** `harness codex → null (from --harness.id); dropped: version`. */
  readonly notes: readonly string[];
}

/**
 * Later layers win, key by key. One that names another plugin for a table drops the lower layers' other keys of that
 * table: options of one plugin mean nothing to another.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const values = new Map<string, Written>();
  /** Every table that a value stands in, or stood in: most keys are none, and need no look at all others. */
  const tables = new Set<string>();
  const notes: string[] = [];
  for (const layer of layers) {
    for (const [key, written] of layer.values) {
      const table = pluginTable(key);
      const before = table === null ? undefined : values.get(key);
      if (table !== null && before !== undefined && before.value !== written.value)
        notes.push(changePlugin(values, table, before, written));
    }
    for (const [key, written] of layer.values) {
      if (tables.has(key)) for (const under of keysUnder(values, key)) values.delete(under);
      if (written.value === undefined) values.delete(key);
      else values.set(key, written);
      for (const table of tablesOf(key)) tables.add(table);
    }
  }
  return { values, notes };
}

/** `a\0b\0c` stands in `a` and `a\0b`. */
function* tablesOf(key: string): Generator<string> {
  for (let end = key.indexOf('\0'); end >= 0; end = key.indexOf('\0', end + 1))
    yield key.slice(0, end);
}

/** The table of an `id` key that names a plugin; null for any other key. */
function pluginTable(key: string): string | null {
  const path = key.split('\0');
  const table = path.at(-2) ?? '';
  return path.at(-1) === 'id' && ['taskset', 'harness', 'runtime', 'environment'].includes(table)
    ? path.slice(0, -1).join('\0')
    : null;
}

function changePlugin(
  values: Map<string, Written>,
  table: string,
  before: Written,
  after: Written,
): string {
  const dropped = keysUnder(values, table).filter((key) => key !== `${table}\0id`);
  for (const key of dropped) values.delete(key);
  const names = dropped.map((key) => key.slice(table.length + 1).replaceAll('\0', '.'));
  const from = describeSource(after.source, null) ?? 'the default';
  const tail = names.length === 0 ? '' : `; dropped: ${names.join(', ')}`;
  return `${table.replaceAll('\0', '.')} ${String(before.value)} → ${String(after.value)} (from ${from})${tail}`;
}

/** Keys of what stands in a table. */
export function keysUnder(values: ReadonlyMap<string, Written>, table: string): string[] {
  return [...values.keys()].filter((key) => key.startsWith(`${table}\0`));
}
