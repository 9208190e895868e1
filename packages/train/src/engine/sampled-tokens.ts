/** Ids with their logprobs, as many as come. */
export class SampledTokens {
  #ids = new Int32Array(64);
  #logprobs = new Float32Array(64);
  count = 0;
  /** How many of them have logprobs, from the first on. */
  told = 0;

  get ids(): Int32Array {
    return this.#ids.subarray(0, this.count);
  }

  get logprobs(): Float32Array {
    return this.#logprobs.subarray(0, this.told);
  }

  id(at: number): number {
    return this.#ids[at] as number;
  }

  addId(id: number): void {
    if (this.count === this.#ids.length) this.#grow();
    this.#ids[this.count++] = id;
  }

  /** Of the first id that has none yet. */
  addLogprob(logprob: number): void {
    if (this.told === this.#logprobs.length) this.#grow();
    this.#logprobs[this.told++] = logprob;
  }

  #grow(): void {
    const [ids, logprobs] = [this.#ids, this.#logprobs];
    this.#ids = new Int32Array(2 * ids.length);
    this.#ids.set(ids);
    this.#logprobs = new Float32Array(2 * logprobs.length);
    this.#logprobs.set(logprobs);
  }
}
