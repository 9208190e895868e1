/** Of what the last requests brought, in bytes. */
const room = 16 * 2 ** 20;

/** What was made of bytes that come again and again: the rollouts of a group have one task and one client. */
export class Remembered<T> {
  readonly #made = new Map<string, T>();
  #size = 0;

  /** @throws what `make` throws; that is not remembered */
  of(bytes: Uint8Array, make: (bytes: Uint8Array) => T): T {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    // What it is made of stays; the message that brought it does not.
    const made = make(Uint8Array.from(bytes));
    this.#made.set(key, made);
    this.#size += key.length;
    this.#forget();
    return made;
  }

  /** The oldest first. */
  #forget(): void {
    for (const [key] of this.#made) {
      if (this.#size <= room) return;
      this.#made.delete(key);
      this.#size -= key.length;
    }
  }
}
