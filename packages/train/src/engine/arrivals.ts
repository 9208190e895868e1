/** Where the bytes come from; undici's dispatch controller has this shape. */
export interface ByteSource {
  abort(reason: Error): void;
}

/**
 * Milliseconds in which bytes are taken together: each event costs more alone, and nobody sees the difference. An engine
 * that is slower than this is heard at each token.
 */
const together = 40;

/** An answer has more bytes than it may. */
export class TooLong extends Error {}

/** The bytes of one answer as they arrive, for one reader: in batches, or whole. */
export class Arrivals {
  readonly #source: ByteSource;
  #chunks: Buffer[] = [];
  #size = 0;
  #most = Number.POSITIVE_INFINITY;
  /** When the last batch was taken. */
  #taken = 0;
  #isBatched = false;
  #isDue = false;
  #due: NodeJS.Timeout | null = null;
  #isOver = false;
  #failure: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  push(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#checkSize();
    if (this.#isBatched) this.#makeDue();
  }

  /** @param failure what the stream broke off with; null at its clean end */
  finish(failure: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#wake?.();
  }

  /**
   * Resolves once all of it is there.
   * @throws what the stream fails with, or TooLong for more than `most` bytes
   */
  async ended(most: number): Promise<void> {
    this.#most = most;
    this.#checkSize();
    if (!this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure !== null) throw this.#failure;
  }

  /** What has come, in one piece, which may be overwritten in the next tick. */
  piece(): Buffer {
    return inOnePiece(this.#chunks, this.#size);
  }

  /**
   * Those that arrive within some milliseconds come together.
   * @throws what the stream fails with
   */
  async *batches(): AsyncGenerator<Buffer> {
    this.#isBatched = true;
    if (this.#chunks.length > 0) this.#isDue = true;
    try {
      for (let isLast = false; !isLast;) {
        if (!this.#isDue && !this.#isOver) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
        isLast = this.#isOver;
        this.#isDue = false;
        this.#taken = performance.now();
        if (this.#chunks.length > 0) yield this.#take();
      }
      if (this.#failure !== null) throw this.#failure;
    } finally {
      if (this.#due !== null) clearTimeout(this.#due);
      if (!this.#isOver) {
        this.#isOver = true;
        this.#source.abort(new Error('the reader stopped'));
      }
    }
  }

  #checkSize(): void {
    if (this.#size <= this.#most || this.#isOver) return;
    const tooLong = new TooLong(`more than ${this.#most} bytes`);
    this.finish(tooLong);
    this.#source.abort(tooLong);
  }

  #makeDue(): void {
    if (this.#isDue || this.#due !== null) return;
    const rest = this.#taken + together - performance.now();
    if (rest <= 0) this.#tell();
    else this.#due = setTimeout(() => this.#tell(), rest);
  }

  #tell(): void {
    this.#due = null;
    this.#isDue = true;
    this.#wake?.();
  }

  #take(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    const [first] = chunks;
    return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  }
}

/** A buffer for each long answer would be memory that the system has to clear, and that is kept until it is collected. */
let room = Buffer.alloc(0);
const mostRoom = 2 ** 22;

function inOnePiece(chunks: readonly Buffer[], size: number): Buffer {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  if (size > mostRoom) return Buffer.concat(chunks, size);
  if (size > room.length) room = Buffer.allocUnsafeSlow(Math.min(mostRoom, 2 * size));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(room, at);
  return room.subarray(0, size);
}
