import type { ServerResponse } from 'node:http';
import type { Head } from '@vf/core';
import { answer } from '../http/answer.ts';
import { withoutHeaders } from '../http/raw-headers.ts';

/** Told when nobody reads a reply in progress any more, and when a reader has all of it. */
export interface DeliveryListener {
  gone(): void;
  delivered(): void;
}

/**
 * One reply on its way to whoever asked for it: the agent's connection, and those of its retries. What was sent is
 * kept, up to a bound, so that a retry gets the same bytes from their start.
 */
export class Delivery {
  readonly #readers: ServerResponse[] = [];
  readonly #keepAtMost: number;
  #kept: Uint8Array[] | null = [];
  #keptBytes = 0;
  #head: Head | null = null;
  #state: 'open' | 'whole' | 'ended' | 'cut' = 'open';
  #isDelivered = false;
  /** Unix milliseconds of the last bytes that went out. */
  lastWrite = 0;
  listener: DeliveryListener | null = null;

  constructor(keepAtMost: number) {
    this.#keepAtMost = keepAtMost;
  }

  get hasBegun(): boolean {
    return this.#head !== null;
  }

  get isOver(): boolean {
    return this.#state !== 'open';
  }

  /** Nobody reads it and nobody has all of it. */
  get isAbandoned(): boolean {
    return this.#readers.length === 0 && !this.#isDelivered;
  }

  /** A retry may be answered from here. */
  get isJoinable(): boolean {
    return this.#kept !== null && this.#state !== 'cut';
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** A reader's socket holds as much as it should; wait for `drained()` before writing more. */
  get isFull(): boolean {
    for (const reader of this.#readers)
      if (reader.writableNeedDrain && !reader.destroyed) return true;
    return false;
  }

  /** Sends what was sent so far to `reader`, then what follows. */
  attach(reader: ServerResponse): void {
    if (reader.destroyed) {
      if (this.isAbandoned) this.listener?.gone();
      return;
    }
    this.#readers.push(reader);
    reader.on('close', () => this.#closed(reader));
    if (this.#head === null) {
      if (this.#state === 'cut') reader.destroy();
      return;
    }
    if (this.#state === 'whole') return answer(reader, this.#head, this.#kept ?? []);
    writeHead(reader, this.#head);
    for (const chunk of this.#kept ?? []) reader.write(chunk);
    if (this.#state === 'ended') reader.end();
    if (this.#state === 'cut') reader.destroy();
  }

  /** The head of a reply whose body comes in pieces. `flush` sends it before there are any. */
  begin(head: Head, flush = false): void {
    if (this.#head !== null || this.isOver) return;
    this.#head = { ...head, headers: withoutHeaders(head.headers, lengthNames) };
    this.lastWrite = Date.now();
    for (const reader of this.#readers) {
      writeHead(reader, this.#head);
      if (flush) reader.flushHeaders();
    }
  }

  write(chunk: Uint8Array): void {
    if (this.isOver || chunk.length === 0) return;
    this.#keep(chunk);
    this.lastWrite = Date.now();
    for (const reader of this.#readers) reader.write(chunk);
  }

  /** A comment between two events; no part of the reply, so no retry gets it. */
  comment(chunk: Uint8Array): void {
    if (this.isOver) return;
    this.lastWrite = Date.now();
    for (const reader of this.#readers) if (!reader.writableNeedDrain) reader.write(chunk);
  }

  /** Head and body in one go. */
  whole(head: Head, body: readonly Uint8Array[]): void {
    if (this.isOver) return;
    this.#head = head;
    for (const chunk of body) this.#keep(chunk);
    this.#state = 'whole';
    for (const reader of this.#readers) answer(reader, head, body);
  }

  end(): void {
    if (this.isOver) return;
    this.#state = 'ended';
    for (const reader of this.#readers) reader.end();
  }

  /** No clean end: readers must not take what they have for a whole reply. */
  cut(): void {
    if (this.isOver) return;
    this.#state = 'cut';
    this.#kept = null;
    for (const reader of this.#readers) cutOff(reader);
  }

  /** Resolves once every reader takes more bytes, or none is left. */
  async drained(): Promise<void> {
    for (const reader of this.#readers) if (reader.writableNeedDrain) await drainOf(reader);
  }

  #keep(chunk: Uint8Array): void {
    if (this.#kept === null) return;
    this.#keptBytes += chunk.length;
    if (this.#keptBytes <= this.#keepAtMost) this.#kept.push(chunk);
    else this.#kept = null;
  }

  #closed(reader: ServerResponse): void {
    this.#readers.splice(this.#readers.indexOf(reader), 1);
    const hasAll = reader.writableFinished && this.#state !== 'cut';
    if (hasAll && !this.#isDelivered) {
      this.#isDelivered = true;
      this.listener?.delivered();
    }
    if (this.isAbandoned) this.listener?.gone();
  }
}

function drainOf(reader: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      reader.off('drain', done);
      reader.off('close', done);
      resolve();
    };
    reader.on('drain', done);
    reader.on('close', done);
  });
}

function writeHead(reader: ServerResponse, head: Head): void {
  if (head.statusText === undefined) reader.writeHead(head.status, [...head.headers]);
  else reader.writeHead(head.status, head.statusText, [...head.headers]);
}

/** Sends what is written and closes the connection without the chunk that would say "complete". */
function cutOff(reader: ServerResponse): void {
  const { socket } = reader;
  if (socket === null || !reader.headersSent) return void reader.destroy();
  // What was written in this tick is held back until the next; Node 26 holds it where the socket's end does not see it.
  while (reader.writableCorked > 0) reader.uncork();
  socket.end(() => reader.destroy());
}

const lengthNames = new Set(['content-length', 'content-encoding']);
