import { VfError } from '@vf/core/errors';
import type { SseEvent } from '@vf/core';
import { eventOf } from './event-of.ts';
import { GrowingBuffer } from './growing-buffer.ts';

/** Bytes of a stream that belong together: an event up to its blank line, a comment line, a stray blank line. */
export interface SsePiece {
  /** Exactly as they came; a view of the chunk when they came in one. */
  readonly bytes: Uint8Array;
  /** Null for what dispatches nothing: comments, blank lines, fields without data. */
  readonly event: SseEvent | null;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * Splits server-sent events as their bytes arrive, by the rules of the HTML standard (LF, CR and CRLF in any mix). The
 * pieces' bytes in order are the stream's bytes, however it was cut into chunks. Time is linear in the bytes.
 */
export class SseSplitter {
  readonly #maxEvent: number;
  /** The open piece's bytes of earlier chunks. */
  readonly #pending = new GrowingBuffer();
  /** Bytes of the byte order mark seen so far; 3 once the question is settled. */
  #markLength = 0;
  /** Length and first byte of the line that is not ended yet. */
  #lineLength = 0;
  #lineFirst = 0;
  /** The open piece holds a whole line that is no comment. */
  #hasField = false;
  /** The last byte was a CR; an LF now belongs to it. */
  #isAfterReturn = false;

  /** @param maxEvent bytes of the longest event, default 256 MiB */
  constructor(maxEvent = 256 * 1024 * 1024) {
    this.#maxEvent = maxEvent;
  }

  /** Pieces that are whole with this chunk. @throws VfError `provider/malformed` when an event is too long */
  push(chunk: Uint8Array): SsePiece[] {
    const pieces: SsePiece[] = [];
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    let at = this.#skipMark(bytes);
    if (this.#isAfterReturn && at < bytes.length) {
      this.#isAfterReturn = false;
      if (bytes[at] === lineFeed) {
        at++;
        if (this.#pending.length === 0) start = this.#take(pieces, bytes, 0, at, false);
      }
    }
    const ends = new LineEnds(bytes);
    for (let lineEnd = ends.next(at); lineEnd !== -1; lineEnd = ends.next(at)) {
      const isBlank = this.#lineLength + lineEnd - at === 0;
      const first = this.#lineLength > 0 ? this.#lineFirst : bytes[at];
      at = this.#afterLineEnd(bytes, lineEnd);
      this.#lineLength = 0;
      if (isBlank || (first === colon && !this.#hasField))
        start = this.#take(pieces, bytes, start, at, isBlank);
      else this.#hasField = true;
    }
    if (this.#lineLength === 0) this.#lineFirst = bytes[at] ?? 0;
    this.#lineLength += bytes.length - at;
    this.#keep(bytes.subarray(start));
    return pieces;
  }

  /** At the end of the stream: an event without its blank line still counts. */
  end(): SsePiece[] {
    if (this.#pending.length === 0) return [];
    const bytes = this.#pending.take();
    return [{ bytes, event: eventOf(bytes) }];
  }

  /** Offset after the part of a byte order mark that this chunk holds. */
  #skipMark(bytes: Buffer): number {
    let at = 0;
    while (this.#markLength < 3 && at < bytes.length) {
      if (bytes[at] === byteOrderMark[this.#markLength]) {
        this.#markLength++;
        at++;
        continue;
      }
      // No mark after all: what looked like one belongs to the first line.
      this.#lineLength = this.#markLength;
      this.#lineFirst = byteOrderMark[0];
      this.#markLength = 3;
    }
    return at;
  }

  #afterLineEnd(bytes: Buffer, lineEnd: number): number {
    if (bytes[lineEnd] === lineFeed) return lineEnd + 1;
    this.#isAfterReturn = lineEnd + 1 === bytes.length;
    return bytes[lineEnd + 1] === lineFeed ? lineEnd + 2 : lineEnd + 1;
  }

  #take(
    pieces: SsePiece[],
    chunk: Buffer,
    start: number,
    end: number,
    isDispatched: boolean,
  ): number {
    let bytes = chunk.subarray(start, end);
    this.#check(bytes.length);
    if (this.#pending.length > 0) {
      this.#pending.push(bytes);
      bytes = this.#pending.take();
    }
    pieces.push({ bytes, event: isDispatched && this.#hasField ? eventOf(bytes) : null });
    this.#hasField = false;
    return end;
  }

  #keep(bytes: Buffer): void {
    this.#check(bytes.length);
    this.#pending.push(bytes);
  }

  #check(more: number): void {
    if (this.#pending.length + more <= this.#maxEvent) return;
    throw new VfError(
      'provider/malformed',
      `an event of the reply is longer than ${this.#maxEvent} bytes`,
      {
        hint: 'ask the provider for a reply without such large parts',
      },
    );
  }
}

/** Line ends of one chunk in order; a chunk without CR is searched for it once. */
class LineEnds {
  readonly #bytes: Buffer;
  #nextReturn: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#nextReturn = bytes.indexOf(carriageReturn);
  }

  /** Offset of the first line end from `at` on, -1 when there is none. */
  next(at: number): number {
    if (this.#nextReturn !== -1 && this.#nextReturn < at)
      this.#nextReturn = this.#bytes.indexOf(carriageReturn, at);
    const feed = this.#bytes.indexOf(lineFeed, at);
    if (this.#nextReturn === -1 || feed === -1) return Math.max(this.#nextReturn, feed);
    return Math.min(this.#nextReturn, feed);
  }
}
