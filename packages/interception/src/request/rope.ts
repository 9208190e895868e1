/** Shorter runs are compared byte by byte: a native call costs more. */
const shortRun = 48;

/** A body as the list of chunks it came in, read by offset; nothing is joined. */
export class Rope {
  readonly length: number;
  readonly #chunks: readonly Buffer[];
  readonly #starts: readonly number[];

  constructor(chunks: readonly Uint8Array[]) {
    const buffers: Buffer[] = [];
    const starts: number[] = [];
    let length = 0;
    for (const chunk of chunks) {
      buffers.push(asBuffer(chunk));
      starts.push(length);
      length += chunk.length;
    }
    this.#chunks = buffers;
    this.#starts = starts;
    this.length = length;
  }

  /** The byte at `at`, undefined past the end. */
  byte(at: number): number | undefined {
    if (at >= this.length) return undefined;
    const index = this.#chunkAt(at);
    return this.#chunks[index]?.[at - (this.#starts[index] ?? 0)];
  }

  /** How many bytes from `at` on equal `other`, at most up to `end`. */
  run(at: number, other: Buffer, end: number): number {
    const most = Math.min(other.length, end - at);
    let done = 0;
    for (let index = this.#chunkAt(at); done < most; index++) {
      const chunk = this.#chunks[index];
      if (chunk === undefined) break;
      const from = at + done - (this.#starts[index] ?? 0);
      const size = Math.min(chunk.length - from, most - done);
      const same = commonLength(chunk, from, other, done, size);
      done += same;
      if (same < size) break;
    }
    return done;
  }

  holds(at: number, other: Buffer): boolean {
    return (
      at >= 0 &&
      at + other.length <= this.length &&
      this.run(at, other, this.length) === other.length
    );
  }

  /** Views of the bytes from `start` to `end`. */
  slice(start: number, end: number): Buffer[] {
    const views: Buffer[] = [];
    for (let index = this.#chunkAt(start); index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index];
      const from = this.#starts[index] ?? 0;
      if (chunk === undefined || from >= end) break;
      const view = chunk.subarray(Math.max(0, start - from), Math.min(chunk.length, end - from));
      if (view.length > 0) views.push(view);
    }
    return views;
  }

  /** The bytes from `start` to `end` in one piece: of the chunk that holds them all, else a copy. */
  piece(start: number, end: number): Buffer {
    const views = this.slice(start, end);
    const [only] = views;
    return views.length === 1 && only !== undefined ? only : Buffer.concat(views);
  }

  /** Index of the chunk that holds `at`. */
  #chunkAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many of `size` bytes at both places are the same, from the first on. */
function commonLength(a: Buffer, atA: number, b: Buffer, atB: number, size: number): number {
  if (size <= shortRun) {
    let same = 0;
    while (same < size && a[atA + same] === b[atB + same]) same++;
    return same;
  }
  if (a.compare(b, atB, atB + size, atA, atA + size) === 0) return size;
  // Halving keeps every comparison native.
  let same = 0;
  let differs = size;
  while (differs - same > 1) {
    const middle = (same + differs) >> 1;
    if (a.compare(b, atB + same, atB + middle, atA + same, atA + middle) === 0) same = middle;
    else differs = middle;
  }
  return same;
}
