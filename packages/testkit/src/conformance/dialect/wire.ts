import type { Delta, Dialect, Edit, Head, ReadEvent, ReadReply, SseEvent } from '@vf/core';
import type { ReplySample } from './samples.ts';

/** Parses server-sent events by the letter of their specification; a last event may lack its blank line. */
export function eventsOf(text: string): readonly SseEvent[] {
  const events: SseEvent[] = [];
  let name: string | null = null;
  let data: string[] = [];
  const dispatch = (): void => {
    if (data.length > 0) events.push({ name, data: data.join('\n') });
    name = null;
    data = [];
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const [field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)?.slice(1) ?? [];
    if (line === '') dispatch();
    else if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
  }
  dispatch();
  return events;
}

export function headOf(stream: boolean): Head {
  return {
    status: 200,
    headers: ['content-type', stream ? 'text/event-stream' : 'application/json'],
  };
}

/** What a sample's reader is given: its events, or its body as one event. */
export function sampleEvents(sample: ReplySample): readonly SseEvent[] {
  return sample.stream ? eventsOf(sample.body) : [{ name: null, data: sample.body }];
}

export interface Reading {
  readonly events: readonly ReadEvent[];
  readonly reply: ReadReply;
  readonly deltas: readonly Delta[];
}

export function readAll(
  dialect: Dialect,
  events: readonly SseEvent[],
  options: {
    readonly stream: boolean;
    readonly deltas?: boolean;
    readonly head?: Head;
    readonly edits?: readonly Edit[];
  },
): Reading {
  const { stream, deltas = false, head = headOf(stream), edits = [] } = options;
  const reader = dialect.reader({ stream, deltas, head, edits });
  const read = events.map((event) => reader.push(event));
  return { events: read, reply: reader.end(), deltas: read.flatMap((event) => event.deltas ?? []) };
}

export function readSample(dialect: Dialect, sample: ReplySample, deltas = false): Reading {
  const head = sample.head ?? headOf(sample.stream);
  return readAll(dialect, sampleEvents(sample), { stream: sample.stream, deltas, head });
}

/** A writer's ids and clock, the same in each run. */
export function rolloutOf(): { newId(prefix: string): string; now(): number } {
  let count = 0;
  return { newId: (prefix) => `${prefix}${++count}`, now: () => 1_700_000_000_000 };
}

/** A message in the order in which a server that rewrites a reply hands it to a writer: native items first. */
export function deltasOf(message: NonNullable<ReadReply['message']>): Delta[] {
  const deltas: Delta[] = (message.providerState ?? []).map((item) => ({ type: 'native', item }));
  if (message.reasoning) deltas.push({ type: 'reasoning', text: message.reasoning });
  if (message.content) deltas.push({ type: 'text', text: message.content });
  (message.toolCalls ?? []).forEach((call, index) => {
    const { id, name, namespace, kind } = call;
    deltas.push({
      type: 'call',
      index,
      id,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(kind === 'custom' ? { custom: true } : {}),
    });
    deltas.push({ type: 'arguments', index, text: call.arguments });
  });
  return deltas;
}

/** The bytes that a writer makes of a reply. */
export function writeAll(
  dialect: Dialect,
  reply: ReadReply,
  deltas: readonly Delta[],
  stream: boolean,
): string {
  const settings = { model: reply.model ?? 'm', stream };
  const writer = dialect.writer({ stream, settings, ...rolloutOf() });
  const pieces = deltas.map((delta) => writer.delta(delta));
  pieces.push(writer.end(reply));
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece)).join('');
}

/** What a reader makes of a writer's bytes. */
export function readBack(dialect: Dialect, text: string, stream: boolean): Reading {
  const events = stream ? eventsOf(text) : [{ name: null, data: text }];
  return readAll(dialect, events, { stream });
}

/** The top level and path after edits of keys and of the path. */
export function applyEdits(
  top: Readonly<Record<string, unknown>>,
  path: string,
  edits: readonly Edit[],
): { readonly top: Record<string, unknown>; readonly path: string } {
  const edited: Record<string, unknown> = { ...top };
  let at = path;
  for (const edit of edits) {
    if ('path' in edit) at = edit.path;
    else if ('key' in edit && edit.value === undefined) delete edited[edit.key];
    else if ('key' in edit) edited[edit.key] = edit.value;
  }
  return { top: edited, path: at };
}

/** The items after edits of items. */
export function applyItemEdits(
  items: readonly unknown[],
  edits: readonly Edit[],
): readonly unknown[] {
  const replaced = new Map<number, unknown>();
  for (const edit of edits) if ('item' in edit) replaced.set(edit.item, edit.value);
  return items.flatMap((item, index) => {
    if (!replaced.has(index)) return [item];
    const value = replaced.get(index);
    return value === undefined ? [] : [value];
  });
}
