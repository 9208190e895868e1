import { damaged, list } from './fields.ts';
import type { Fields, Kind } from './fields.ts';

/**
 * One field of many items as one list, null where an item has none; undefined when a reader would
 * assume each value anyway. It costs a few bytes an item where a key per item would cost thirty.
 */
export function writeColumn<T, V>(
  items: readonly T[],
  valueOf: (item: T, index: number) => V | null | undefined,
  assumedOf: (item: T) => V | null = () => null,
): readonly (V | null)[] | undefined {
  const saysMore = items.some((item, index) => (valueOf(item, index) ?? null) !== assumedOf(item));
  return saysMore ? items.map((item, index) => valueOf(item, index) ?? null) : undefined;
}

/** Reads the columns of `length` items. */
export class Columns {
  readonly #fields: Fields | undefined;
  readonly #length: number;

  constructor(fields: Fields | undefined, length: number) {
    this.#fields = fields;
    this.#length = length;
  }

  /** Gives an item's value by its index: null where it has none, `undefined` for a column left out. */
  of<T>(key: string, kind: Kind<T>): (index: number) => T | null | undefined {
    const items = this.#fields?.optional(key, list);
    if (this.#fields === undefined || items === undefined) return () => undefined;
    const path = this.#fields.at(key);
    if (items.length !== this.#length) {
      damaged(path, `has ${items.length} entries for ${this.#length} items`);
    }
    return (index) => {
      const item = items[index];
      if (item === null || item === undefined) return null;
      return kind.is(item) ? item : damaged(`${path}[${index}]`, `must be ${kind.name} or null`);
    };
  }
}
