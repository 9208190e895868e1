import type {
  Delta,
  Dialect,
  Edit,
  Head,
  ReadEvent,
  ReadReply,
  Settings,
  SseEvent,
  WriterOptions,
} from '@vf/core';
import { readAll, rolloutOf } from './wire.ts';

/** A reply as it was read, with what each event told. */
export interface WireReply extends ReadReply {
  readonly events: readonly ReadEvent[];
  readonly deltas: readonly Delta[];
}

export interface WireReadOptions {
  /** Default: 200 without headers. */
  readonly head?: Head;
  readonly edits?: readonly Edit[];
}

/** Replies of one dialect, said in short. */
export interface Wire {
  /** Reads a stream of events, each by its data; what is no text is written as JSON. */
  readStream(data: readonly unknown[], options?: WireReadOptions): WireReply;
  /** Reads a body; what is no text is written as JSON. */
  readPlain(body: unknown, head?: Head): WireReply;
  /** Reads the text of a stream whose events are one `data` line each. */
  readText(text: string, options?: WireReadOptions): WireReply;
  /** The text of a whole reply. */
  write(reply: ReadReply, stream: boolean, settings?: Partial<Settings>): string;
  /** Of the model `m`: ids are counted from 1, the clock stands still. */
  writerOptions(stream: boolean, settings?: Partial<Settings>): WriterOptions;
}

const ok: Head = { status: 200, headers: [] };

/** What tests of a dialect read replies with, and write them. */
export function wireOf(dialect: Dialect): Wire {
  const read = (
    data: readonly unknown[],
    stream: boolean,
    options: WireReadOptions = {},
  ): WireReply => {
    const events = data.map((item): SseEvent => ({
      name: null,
      data: typeof item === 'string' ? item : JSON.stringify(item),
    }));
    const { reply, ...told } = readAll(dialect, events, {
      head: ok,
      ...options,
      stream,
      deltas: true,
    });
    return { ...reply, ...told };
  };
  const writerOptions: Wire['writerOptions'] = (stream, settings = {}) => ({
    stream,
    settings: { model: 'm', stream, ...settings },
    ...rolloutOf(),
  });
  return {
    readStream: (data, options) => read(data, true, options),
    readPlain: (body, head = ok) => read([body], false, { head }),
    readText: (text, options) => {
      const lines = text.split('\n').filter((line) => line.startsWith('data:'));
      return read(
        lines.map((line) => line.slice(5).trimStart()),
        true,
        options,
      );
    },
    write: (reply, stream, settings) =>
      new TextDecoder().decode(dialect.writer(writerOptions(stream, settings)).end(reply)),
    writerOptions,
  };
}
