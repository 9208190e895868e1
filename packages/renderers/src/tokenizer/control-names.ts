import type { Tokenizer } from './tokenizer.ts';

/** Control tokens by id. Nearly all ids of a completion are none, which is told without a look-up. */
export class ControlNames {
  /** 1 where the id is one. */
  readonly #marks: Uint8Array;
  readonly #names: ReadonlyMap<number, string>;

  constructor({ controls, size }: Tokenizer) {
    this.#names = new Map([...controls].map(([name, id]) => [id, name]));
    this.#marks = new Uint8Array(size);
    for (const id of controls.values()) this.#marks[id] = 1;
  }

  /** undefined for an id that is none. */
  get(id: number): string | undefined {
    return this.#marks[id] === 1 ? this.#names.get(id) : undefined;
  }
}
