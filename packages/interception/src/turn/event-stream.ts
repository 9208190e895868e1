import type { CallError, ReadReply, ReplyReader } from '@vf/core';
import { SseSplitter } from '../sse/sse-splitter.ts';
import type { SsePiece } from '../sse/sse-splitter.ts';

/**
 * Follows a streamed reply: each event goes to the dialect's reader, its bytes are sorted into what may pass at once
 * and what waits for the commit (the terminal event and what came after it). An event in two chunks passes when it
 * is whole; what the agent did not ask for never does.
 */
export class EventStream {
  readonly #reader: ReplyReader;
  readonly #splitter = new SseSplitter();
  readonly #held: Uint8Array[] = [];
  /** Events so far; comments do not count. */
  count = 0;
  isTerminal = false;
  /** The finish reason is known: what follows costs nothing more. */
  isFinished = false;
  /** The first error that an event said. */
  error: CallError | null = null;

  /** The bytes ended within an event, so that it does not parse. */
  endsInEvent = false;

  constructor(reader: ReplyReader) {
    this.#reader = reader;
  }

  /** @returns the bytes that may pass now, null when there are none */
  push(chunk: Uint8Array): Uint8Array | null {
    return this.#sort(this.#splitter.push(chunk));
  }

  /** The end of the bytes. After a clean one an event without its blank line counts; else it only passes. */
  finish(isClean: boolean): Uint8Array | null {
    const rest = this.#splitter.end();
    const before = this.error;
    const passed = this.#sort(isClean ? rest : rest.map(({ bytes }) => ({ bytes, event: null })));
    this.endsInEvent = before === null && this.error?.code === 'malformed';
    if (this.endsInEvent) this.error = null;
    return passed;
  }

  /** The reply as far as it came; asked once. */
  read(): ReadReply {
    return this.#reader.end();
  }

  /** The bytes that waited for the commit. */
  takeHeld(): Uint8Array {
    return joined(this.#held.splice(0));
  }

  #sort(pieces: readonly SsePiece[]): Uint8Array | null {
    const passed: Uint8Array[] = [];
    for (const piece of pieces) {
      const isDropped = piece.event !== null && this.#read(piece.event);
      if (isDropped) continue;
      if (this.isTerminal) this.#held.push(piece.bytes);
      else passed.push(piece.bytes);
    }
    return passed.length === 0 ? null : joined(passed);
  }

  /** @returns whether the event is to be dropped */
  #read(event: NonNullable<SsePiece['event']>): boolean {
    this.count++;
    const { phase, drop, error } = this.#reader.push(event);
    if (error !== undefined) this.error ??= error;
    if (phase !== 'more') this.isFinished = true;
    if (phase === 'terminal') this.isTerminal = true;
    return drop === true;
  }
}

const none = new Uint8Array();

/** One run of bytes; a view where the parts are neighbours in memory, as those of one chunk are. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first === undefined) return none;
  if (parts.length === 1) return first;
  let end = first.byteOffset + first.length;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? none;
    if (part.buffer !== first.buffer || part.byteOffset !== end) return Buffer.concat(parts);
    end += part.length;
  }
  return new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset);
}
