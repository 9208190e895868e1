import type { Delta, Edit, Head, ReadEvent, ReadReply, SseEvent, WriterOptions } from '@vf/core';
import chat from '../src/index.ts';

const ok: Head = { status: 200, headers: [] };

export interface Read extends ReadReply {
  readonly events: readonly ReadEvent[];
  readonly deltas: readonly Delta[];
}

interface Options {
  readonly stream: boolean;
  readonly head?: Head;
  readonly edits?: readonly Edit[];
}

function read(events: readonly SseEvent[], { stream, head = ok, edits = [] }: Options): Read {
  const reader = chat.reader({ stream, deltas: true, head, edits });
  const pushed = events.map((event) => reader.push(event));
  const deltas = pushed.flatMap((event) => event.deltas ?? []);
  return { ...reader.end(), events: pushed, deltas };
}

/** Reads the data of events; what is no string is written as JSON. */
export function readStream(data: readonly unknown[], options: Omit<Options, 'stream'> = {}): Read {
  const events = data.map((item): SseEvent => ({
    name: null,
    data: typeof item === 'string' ? item : JSON.stringify(item),
  }));
  return read(events, { stream: true, ...options });
}

export function readPlain(body: unknown, head: Head = ok): Read {
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  return read([{ name: null, data }], { stream: false, head });
}

/** Reads the text of a stream whose events are one `data` line each. */
export function readText(text: string, options: Omit<Options, 'stream'> = {}): Read {
  const data = text.split('\n').filter((line) => line.startsWith('data:'));
  return readStream(
    data.map((line) => line.slice(5).trimStart()),
    options,
  );
}

/** A chunk with one delta. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** A chunk with fragments of tool calls. */
export function calls(...fragments: unknown[]): unknown {
  return chunk({ tool_calls: fragments });
}

export function writerOptions(stream: boolean, includeUsage = false): WriterOptions {
  let made = 0;
  return {
    stream,
    settings: { model: 'm', stream, includeUsage },
    newId: (prefix) => `${prefix}${++made}`,
    now: () => 1_700_000_000_000,
  };
}

export function write(reply: ReadReply, stream: boolean, includeUsage = false): string {
  return new TextDecoder().decode(chat.writer(writerOptions(stream, includeUsage)).end(reply));
}
