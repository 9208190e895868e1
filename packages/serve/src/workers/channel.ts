import type { Duplex } from 'node:stream';
import { FrameReader, frameHead } from '../zmtp/frames.ts';

/** What goes between a server and its worker: a word, which run it is about (0: none), and bytes. */
export interface Told {
  readonly word: string;
  readonly run: number;
  readonly body: Buffer;
}

const none = Buffer.alloc(0);

/** Messages over the pipe between a server and its worker; large ones cost what small ones do, byte by byte. */
export class Channel {
  readonly #pipe: Duplex;
  readonly #reader = new FrameReader(Number.MAX_SAFE_INTEGER);
  readonly #hear: (told: Told) => void;
  #head: string | null = null;

  /** @param gone the other side closed it, or is dead */
  constructor(pipe: Duplex, hear: (told: Told) => void, gone: () => void) {
    this.#pipe = pipe;
    this.#hear = hear;
    pipe.on('data', (chunk: Buffer) => this.#read(chunk));
    // Its end says all that there is to say.
    pipe.on('error', () => undefined);
    pipe.once('close', gone);
  }

  /** What cannot be told any more is dropped. */
  tell(word: string, run = 0, body: Uint8Array = none): void {
    if (!this.#pipe.writable) return;
    const head = Buffer.from(`${word} ${run}`);
    this.#pipe.cork();
    for (const [bytes, kind] of [[head, 'more'] as const, [body, 'last'] as const]) {
      this.#pipe.write(frameHead(bytes.length, kind));
      this.#pipe.write(bytes);
    }
    process.nextTick(() => this.#pipe.uncork());
  }

  /** Sends what waits, and closes it. */
  close(): void {
    this.#pipe.end();
  }

  #read(chunk: Buffer): void {
    this.#reader.push(chunk);
    for (let frame = this.#reader.frame(); frame !== null; frame = this.#reader.frame()) {
      if (frame.hasMore) this.#head = frame.body.toString();
      else {
        const [word = '', run = ''] = (this.#head ?? '').split(' ');
        this.#hear({ word, run: Number(run), body: frame.body });
      }
    }
  }
}
