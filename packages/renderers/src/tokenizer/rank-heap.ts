/** Places with their ranks; gives the lowest rank first, of equals the lowest place. */
export class RankHeap {
  /** Of what was popped last. */
  rank = 0;
  place = 0;
  /** One number each, so that comparing two is comparing numbers. */
  readonly #keys: number[] = [];

  /** @param rank below 2²³; @param place below 2³⁰ */
  push(rank: number, place: number): void {
    const keys = this.#keys;
    const key = rank * places + place;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = keys[above] as number;
      if (other <= key) break;
      keys[at] = other;
      at = above;
    }
    keys[at] = key;
  }

  /** @returns whether there was one; `rank` and `place` tell it */
  pop(): boolean {
    const keys = this.#keys;
    const [first] = keys;
    const last = keys.pop();
    if (first === undefined || last === undefined) return false;
    this.rank = Math.floor(first / places);
    this.place = first % places;
    if (keys.length > 0) this.#sink(last);
    return true;
  }

  #sink(key: number): void {
    const keys = this.#keys;
    const count = keys.length;
    let at = 0;
    for (let below = 1; below < count; below = 2 * at + 1) {
      const other = below + 1;
      if (other < count && (keys[other] as number) < (keys[below] as number)) below = other;
      if ((keys[below] as number) >= key) break;
      keys[at] = keys[below] as number;
      at = below;
    }
    keys[at] = key;
  }
}

const places = 2 ** 30;
