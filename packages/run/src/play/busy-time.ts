/** Time in which at least one of several spans was open: gaps between the sessions of a run do not count. */
export class BusyTime {
  readonly #spans: [start: number, end: number][] = [];

  /** @param start Unix seconds, as is `end` */
  add({ start, end }: { readonly start: number; readonly end: number }): void {
    if (end > start) this.#spans.push([start, end]);
  }

  get seconds(): number {
    let [total, reached] = [0, -Infinity];
    for (const [start, end] of this.#spans.toSorted(([a], [b]) => a - b)) {
      total += Math.max(0, end - Math.max(start, reached));
      reached = Math.max(reached, end);
    }
    return total;
  }
}
