/** Words at most, in each of two halves. */
const half = 1 << 15;
/** Longer words hardly come again. */
const longest = 48;

/** Ids of words that were met before. Holds those of the last tens of thousands of words, and those used since. */
export class WordCache {
  #young = new Map<string, number | readonly number[]>();
  #old = new Map<string, number | readonly number[]>();

  /** One id as a number, several as a list. */
  get(word: string): number | readonly number[] | undefined {
    const known = this.#young.get(word);
    if (known !== undefined) return known;
    const older = this.#old.get(word);
    if (older !== undefined) this.set(word, older);
    return older;
  }

  set(word: string, ids: number | readonly number[]): void {
    if (word.length > longest) return;
    if (this.#young.size >= half) [this.#old, this.#young] = [this.#young, new Map()];
    this.#young.set(copyOf(word), ids);
  }
}

/** A part of a text would keep the whole text alive. */
function copyOf(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}
