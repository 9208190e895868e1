/** Keeps the start and the end of a stream within `maxBytes`; what is between is counted and dropped. */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = Math.floor(maxBytes / 2);
  }

  get truncated(): boolean {
    return this.#dropped > 0;
  }

  push(chunk: Buffer): void {
    const free = this.#headLimit - this.#headBytes;
    const first = chunk.subarray(0, free);
    if (first.length > 0) this.#head.push(first);
    this.#headBytes += first.length;
    if (first.length < chunk.length) this.#pushTail(chunk.subarray(first.length));
  }

  /** Both ends as text, with a line between them that says how much is missing. */
  toString(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (!this.truncated) return Buffer.concat([head, tail]).toString('utf8');
    const [start, end] = [wholeEnd(head), wholeStart(tail)];
    const missing = this.#dropped + head.length - start.length + tail.length - end.length;
    return `${start.toString('utf8')}\n[… ${missing} bytes left out …]\n${end.toString('utf8')}`;
  }

  #pushTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    for (let excess = this.#tailBytes - this.#tailLimit; excess > 0;) {
      const oldest = this.#tail[0] ?? Buffer.alloc(0);
      const cut = Math.min(excess, oldest.length);
      if (cut === oldest.length) this.#tail.shift();
      else this.#tail[0] = oldest.subarray(cut);
      this.#tailBytes -= cut;
      this.#dropped += cut;
      excess -= cut;
    }
  }
}

/** Without the start of a UTF-8 character that was cut off at the end. */
function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return back < lengthOf(byte) ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

/** Without the rest of a UTF-8 character whose start was cut off. */
function wholeStart(bytes: Buffer): Buffer {
  let skip = 0;
  while (skip < Math.min(3, bytes.length) && ((bytes[skip] ?? 0) & 0xc0) === 0x80) skip++;
  return bytes.subarray(skip);
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
