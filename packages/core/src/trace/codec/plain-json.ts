import type { JsonObject } from './json-object.ts';

/** Python's JSON reader gives up near a depth of 1,000, a strict one at 200. */
const deepest = 150;

/** A value as JSON can hold it, and how many values had to be changed for that. */
export interface Plain {
  readonly value: JsonObject;
  readonly mended: number;
}

/**
 * Makes what hooks and models left writable: a lone surrogate becomes U+FFFD, a number that is not
 * finite null, a bigint a string; a cycle or what lies too deep becomes a short text. Never throws,
 * so that a rollout is not lost for one odd string. Untouched parts are shared, not copied.
 */
export function plainJson(record: JsonObject): Plain {
  const mender = new Mender();
  const value = mender.value(record) as JsonObject;
  return { value, mended: mender.mended };
}

class Mender {
  mended = 0;
  readonly #above: object[] = [];

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.#string(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : this.#instead(null);
    if (typeof value === 'object' && value !== null) return this.#object(value);
    if (typeof value === 'bigint') return this.#instead(String(value));
    // JSON.stringify leaves these out of objects by itself.
    if (typeof value === 'function' || typeof value === 'symbol') return this.#instead(undefined);
    return value;
  }

  #string(text: string): string {
    return text.isWellFormed() ? text : this.#instead(text.toWellFormed());
  }

  #object(value: object): unknown {
    if (this.#above.includes(value)) return this.#instead('[circular]');
    if (this.#above.length >= deepest) return this.#instead('[too deep]');
    this.#above.push(value);
    const plain = Array.isArray(value) ? this.#list(value) : this.#fields(value);
    this.#above.pop();
    return plain;
  }

  #list(items: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < items.length; index++) {
      const item = this.value(items[index]);
      if (item !== items[index]) {
        copy ??= [...items];
        copy[index] = item;
      }
    }
    return copy ?? items;
  }

  #fields(value: object): unknown {
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return this.value(jsonOf(value as { toJSON(): unknown }));
    }
    const fields = value as JsonObject;
    const keys = Object.keys(fields);
    let copy: [string, unknown][] | null = null;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? '';
      const name = this.#string(key);
      const field = this.value(fields[key]);
      if (name !== key || field !== fields[key]) copy ??= Object.entries(fields).slice(0, at);
      copy?.push([name, field]);
    }
    return copy === null ? value : Object.fromEntries(copy);
  }

  #instead<T>(value: T): T {
    this.mended++;
    return value;
  }
}

function jsonOf(value: { toJSON(): unknown }): unknown {
  try {
    return value.toJSON();
  } catch {
    return null;
  }
}
