import type { Delta, Edit, Head, ReadEvent, ReadReply, SseEvent, WriterOptions } from '@vf/core';
import messages from '../src/index.ts';

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
  const reader = messages.reader({ stream, deltas: true, head, edits });
  const pushed = events.map((event) => reader.push(event));
  const deltas = pushed.flatMap((event) => event.deltas ?? []);
  return { ...reader.end(), events: pushed, deltas };
}

/** Reads events, named by their `type`; a string is data as it stands. */
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

export const started = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
};

export const stopped = { type: 'message_stop' };

export function ended(stop: object, usage: unknown = { output_tokens: 5 }): unknown {
  return { type: 'message_delta', delta: stop, usage };
}

/** The events of one block with its deltas. */
export function block(index: number, start: object, ...deltas: object[]): readonly unknown[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** A whole stream of blocks. */
export function streamOf(...blocks: (readonly unknown[])[]): readonly unknown[] {
  return [started, ...blocks.flat(), ended({ stop_reason: 'end_turn' }), stopped];
}

export function writerOptions(streams: boolean): WriterOptions {
  let made = 0;
  return {
    stream: streams,
    settings: { model: 'm', stream: streams },
    newId: (prefix) => `${prefix}${++made}`,
    now: () => 1_700_000_000_000,
  };
}

export function write(reply: ReadReply, streams: boolean): string {
  return new TextDecoder().decode(messages.writer(writerOptions(streams)).end(reply));
}
