import { createHash } from 'node:crypto';
import { VfError } from '@vf/core/errors';
import { sortedJson } from '@vf/core/trace';
import type { TaskInstance } from '@vf/rollout';

export interface CheckedRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly task: Readonly<Record<string, unknown>>;
}

const keyLength = 12;

/** Gives each row its key and sees that none comes twice. */
export class TaskKeys {
  readonly #rows = new Map<string, number>();

  /** @throws VfError taskset/duplicate_key */
  name(checked: CheckedRow, index: number): TaskInstance {
    const task = taskOf(checked);
    const { key } = task;
    const earlier = this.#rows.get(key);
    if (earlier !== undefined) {
      throw new VfError(
        'taskset/duplicate_key',
        `rows ${earlier} and ${index} have the same key ${JSON.stringify(key)}`,
        {
          hint: 'give each row a `key` of its own',
        },
      );
    }
    this.#rows.set(key, index);
    return task;
  }
}

/** The row under its own key, or under the start of its hash. */
export function taskOf({ row, task }: CheckedRow): TaskInstance {
  const hash = hashOfRow(row);
  const key = typeof row['key'] === 'string' ? row['key'] : hash.slice(0, keyLength);
  return { key, hash, row, task: { ...task, key } };
}

/** SHA-256 of the row as JSON with sorted keys, hex; what may be secret counts by its names alone. */
export function hashOfRow(row: Readonly<Record<string, unknown>>): string {
  const compose = namesOnly(row['compose'], 'variables');
  const named = namesOnly(compose === undefined ? row : { ...row, compose }, 'env');
  return createHash('sha256').update(sortedJson(named)).digest('hex');
}

/** The field of that name with its keys in place of its values. */
function namesOnly(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || !(field in value)) return value;
  const inner = (value as Readonly<Record<string, unknown>>)[field];
  if (typeof inner !== 'object' || inner === null) return value;
  return { ...value, [field]: Object.keys(inner).sort() };
}
