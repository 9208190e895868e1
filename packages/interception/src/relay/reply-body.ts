/** Bytes that may wait for a reader before upstream is told to pause. */
const highWater = 64 * 1024;

/** Where the bytes come from; undici's dispatch controller has this shape. */
export interface ByteSource {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/**
 * The bytes of one reply as they arrive: what came in one tick is one chunk, a reader that stops pulling pauses the
 * source, `return()` aborts it.
 */
export class ReplyBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: ByteSource;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #isPaused = false;
  #isDone = false;
  #failure: Error | null = null;
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array>> | null = null;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  push(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    this.#wake();
    if (this.#waiting > highWater && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
  }

  end(): void {
    this.#isDone = true;
    this.#wake();
  }

  fail(error: Error): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#failure = error;
    this.#wake();
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#chunks.length > 0) return Promise.resolve(this.#take());
    if (this.#isDone) return this.#ended();
    const reader = Promise.withResolvers<IteratorResult<Uint8Array>>();
    this.#reader = reader;
    return reader.promise;
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isDone) {
      this.#isDone = true;
      this.#source.abort(new Error('the reader stopped'));
    }
    this.#chunks = [];
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** After the tick, so that the reader gets all of it at once. */
  #wake(): void {
    const reader = this.#reader;
    if (reader === null) return;
    this.#reader = null;
    queueMicrotask(() => {
      if (this.#chunks.length > 0) reader.resolve(this.#take());
      else this.#ended().then(reader.resolve, reader.reject);
    });
  }

  #take(): IteratorResult<Uint8Array> {
    const [first] = this.#chunks;
    const value =
      this.#chunks.length === 1 && first !== undefined
        ? first
        : Buffer.concat(this.#chunks, this.#waiting);
    this.#chunks = [];
    this.#waiting = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#source.resume();
    }
    return { done: false, value };
  }

  #ended(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure === null) return Promise.resolve({ done: true, value: undefined });
    return Promise.reject(this.#failure);
  }
}
