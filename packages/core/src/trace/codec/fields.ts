import { VfError } from '../../errors/vf-error.ts';
import { isObject, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/** A JSON type that a field may have, and its name for messages. */
export interface Kind<T> {
  readonly name: string;
  is(value: unknown): value is T;
}

export const string: Kind<string> = {
  name: 'a string of well-formed Unicode',
  is: (value): value is string => typeof value === 'string' && value.isWellFormed(),
};
export const number: Kind<number> = {
  name: 'a finite number',
  is: (value): value is number => Number.isFinite(value),
};
export const integer: Kind<number> = {
  name: 'a whole number',
  is: (value): value is number => Number.isSafeInteger(value),
};
export const boolean: Kind<boolean> = {
  name: 'true or false',
  is: (value): value is boolean => typeof value === 'boolean',
};
export const object: Kind<JsonObject> = { name: 'an object', is: isObject };
export const list: Kind<readonly unknown[]> = {
  name: 'a list',
  is: (value): value is readonly unknown[] => Array.isArray(value),
};
export const anything: Kind<unknown> = {
  name: 'anything',
  is: (value): value is unknown => value !== undefined,
};
/** A place in a list: 0 or more. */
export const index: Kind<number> = {
  name: 'an index',
  is: (value): value is number => integer.is(value) && value >= 0,
};

/** The record does not hold at `path`. @throws VfError store/damaged, always */
export function damaged(path: string, reason: string): never {
  throw new VfError('store/damaged', `${path === '' ? 'record' : path}: ${reason}`, {
    hint: 'the record was cut, edited or written by another program; `vf show` names the episode',
  });
}

/**
 * Reads one JSON object strictly. What is taken must have its type, or the error names the path;
 * what nobody takes is given back by `rest`, so that it survives a round trip. null reads as absent.
 */
export class Fields {
  readonly path: string;
  readonly #values: JsonObject;
  readonly #taken = new Set<string>();
  readonly #inner = new Map<string, Fields | readonly Fields[]>();

  /** @throws VfError store/damaged when `value` is not an object */
  constructor(value: unknown, path: string) {
    if (!isObject(value)) damaged(path, 'must be an object');
    this.#values = value;
    this.path = path;
  }

  at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** Is there a value, taken or not? */
  has(key: string): boolean {
    return Object.hasOwn(this.#values, key) && this.#values[key] !== null;
  }

  /** The value without taking it: what is only looked at stays in `rest`. */
  peek(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  optional<T>(key: string, kind: Kind<T>): T | undefined {
    this.#taken.add(key);
    const value = this.peek(key);
    if (value === undefined || value === null) return undefined;
    return kind.is(value) ? value : damaged(this.at(key), `must be ${kind.name}`);
  }

  required<T>(key: string, kind: Kind<T>): T {
    return this.optional(key, kind) ?? damaged(this.at(key), 'is missing');
  }

  /** Takes the value when it is one of `values`; any other stays in `rest`. */
  oneOf<const T extends string>(key: string, values: readonly T[]): T | undefined {
    const value = values.find((known) => known === this.peek(key));
    if (value !== undefined) this.#taken.add(key);
    return value;
  }

  /** Takes the value when it has the type; any other stays in `rest`. */
  maybe<T>(key: string, kind: Kind<T>): T | undefined {
    return kind.is(this.peek(key)) ? this.optional(key, kind) : undefined;
  }

  listOf<T>(key: string, kind: Kind<T>): readonly T[] | undefined {
    const items = this.optional(key, list);
    if (items === undefined) return undefined;
    const wrong = items.findIndex((item) => !kind.is(item));
    if (wrong >= 0) damaged(`${this.at(key)}[${wrong}]`, `must be ${kind.name}`);
    return items as readonly T[];
  }

  /** An object within; what it leaves untaken is in this one's `rest`. */
  child(key: string): Fields | undefined {
    const value = this.optional(key, object);
    return value === undefined ? undefined : this.#keep(key, new Fields(value, this.at(key)));
  }

  /** A list of objects within; what they leave untaken is in this one's `rest`. */
  children(key: string): readonly Fields[] | undefined {
    return this.has(key) ? this.#keep(key, this.records(key)) : undefined;
  }

  /** A list of objects that keep what they do not know themselves; an absent list is empty. */
  records(key: string): readonly Fields[] {
    const items = this.optional(key, list) ?? [];
    return items.map((item, at) => new Fields(item, `${this.at(key)}[${at}]`));
  }

  /** What nobody took; undefined when that is nothing. Items of lists are keyed by index. */
  rest(): JsonObject | undefined {
    const entries = Object.entries(this.#values).flatMap(([key, value]): [string, unknown][] => {
      const left = this.#taken.has(key) ? restOf(this.#inner.get(key)) : value;
      return left === undefined ? [] : [[key, left]];
    });
    return orNone(Object.fromEntries(entries));
  }

  #keep<T extends Fields | readonly Fields[]>(key: string, inner: T): T {
    this.#inner.set(key, inner);
    return inner;
  }
}

function restOf(inner: Fields | readonly Fields[] | undefined): JsonObject | undefined {
  if (inner === undefined) return undefined;
  if (inner instanceof Fields) return inner.rest();
  return orNone(
    Object.fromEntries(
      inner.flatMap((fields, at): [string, unknown][] => {
        const left = fields.rest();
        return left === undefined ? [] : [[String(at), left]];
      }),
    ),
  );
}
