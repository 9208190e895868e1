interface Entry<T> {
  readonly item: T;
  before: Entry<T> | null;
  after: Entry<T> | null;
}

/** Takes an item out again; a second call does nothing. */
export type Leave = () => void;

/**
 * What is under way, oldest first; to come and to leave take the same time whatever is there. A Set would do but for the
 * collector: V8 leaves a full table behind for a larger one and keeps what stood in it, so that all that was ever under
 * way at such a moment grows old.
 */
export class UnderWay<T> implements Iterable<T> {
  #first: Entry<T> | null = null;
  #last: Entry<T> | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  add(item: T): Leave {
    let entry: Entry<T> | null = { item, before: this.#last, after: null };
    if (this.#last === null) this.#first = entry;
    else this.#last.after = entry;
    this.#last = entry;
    return () => {
      if (entry !== null) this.#remove(entry);
      entry = null;
    };
  }

  /** Those that are there now; who comes or goes meanwhile changes nothing. */
  [Symbol.iterator](): Iterator<T> {
    const items: T[] = [];
    for (let entry = this.#first; entry !== null; entry = entry.after) items.push(entry.item);
    return items[Symbol.iterator]();
  }

  #remove(entry: Entry<T>): void {
    const { before, after } = entry;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    entry.before = null;
    entry.after = null;
  }
}
