import type {
  Head,
  ReadEvent,
  ReadReply,
  ReaderOptions,
  ReplyReader,
  SseEvent,
} from '../contract/dialect.ts';
import { missingDeltas, noneWritten } from './missing-deltas.ts';

/** A reply of which nothing was understood. */
export const noReply: ReadReply = {
  message: null,
  finish: null,
  rawFinish: null,
  usage: null,
  model: null,
  id: null,
  error: null,
  whole: false,
};

/** Reads a reply that came in one piece; `read` understands its text. */
export class PlainReader implements ReplyReader {
  readonly #options: ReaderOptions;
  readonly #read: (head: Head, data: string) => ReadReply;
  #reply: ReadReply = noReply;

  constructor(options: ReaderOptions, read: (head: Head, data: string) => ReadReply) {
    this.#options = options;
    this.#read = read;
  }

  push(event: SseEvent): ReadEvent {
    this.#reply = this.#read(this.#options.head, event.data);
    const { error, message } = this.#reply;
    if (error !== null) return { phase: 'terminal', error };
    if (!this.#options.deltas || message === null) return { phase: 'terminal' };
    return { phase: 'terminal', deltas: missingDeltas(message, noneWritten()) };
  }

  end(): ReadReply {
    return this.#reply;
  }
}
