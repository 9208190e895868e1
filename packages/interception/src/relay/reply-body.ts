import type { KeyMask } from './key-mask.ts';

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
  readonly #mask: KeyMask | null;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #isPaused = false;
  #isDone = false;
  #failure: Error | null = null;
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array>> | null = null;

  /** @param mask takes a secret out of the bytes as they come */
  constructor(source: ByteSource, mask: KeyMask | null = null) {
    this.#source = source;
    this.#mask = mask;
  }

  push(chunk: Buffer): void {
    if (this.#isDone) return;
    const bytes = this.#mask === null ? chunk : this.#mask.push(chunk);
    if (bytes.length > 0) this.#add(bytes);
    if (this.#waiting > highWater && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
  }

  end(): void {
    this.#addHeld();
    this.#isDone = true;
    this.#wake();
  }

  fail(error: Error): void {
    if (this.#isDone) return;
    this.#addHeld();
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

  #add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#waiting += bytes.length;
    this.#wake();
  }

  #addHeld(): void {
    const held = this.#isDone ? undefined : this.#mask?.end();
    if (held !== undefined && held.length > 0) this.#add(held);
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
