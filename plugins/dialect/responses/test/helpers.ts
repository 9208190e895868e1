import type { Delta, ReadReply, SseEvent } from '@vf/core';
import { wireOf } from '@vf/testkit/conformance';
import responses from '../src/index.ts';

export interface WireEvent {
  readonly type: string;
  readonly sequence_number?: number;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** Events as a stream of this dialect has them. */
export function eventsOf(events: readonly WireEvent[]): readonly SseEvent[] {
  return events.map((event) => ({ name: event.type, data: JSON.stringify(event) }));
}

export function readStream(events: readonly WireEvent[], deltas = false): ReadReply {
  const reader = responses.reader({
    stream: true,
    deltas,
    head: { status: 200, headers: [] },
    edits: [],
  });
  for (const event of eventsOf(events)) reader.push(event);
  return reader.end();
}

export function readBody(body: unknown, status = 200, headers: readonly string[] = []): ReadReply {
  const reader = responses.reader({
    stream: false,
    deltas: false,
    head: { status, headers },
    edits: [],
  });
  reader.push({ name: null, data: typeof body === 'string' ? body : JSON.stringify(body) });
  return reader.end();
}

/** A stream's text taken apart; every event has a name, a line of data and a blank line. */
export function parseStream(text: string): readonly WireEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      const event = JSON.parse(data ?? 'null') as WireEvent;
      if (event.type !== name) throw new Error(`event ${name} says it is ${event.type}`);
      return event;
    });
}

export function writerOf(stream: boolean): ReturnType<typeof responses.writer> {
  return responses.writer(wireOf(responses).writerOptions(stream));
}

export function streamOf(deltas: readonly Delta[], reply: ReadReply): string {
  const writer = writerOf(true);
  const decoder = new TextDecoder();
  return [...deltas.map((delta) => writer.delta(delta)), writer.end(reply)]
    .map((bytes) => decoder.decode(bytes))
    .join('');
}

export function replyOf(message: ReadReply['message'], more: Partial<ReadReply> = {}): ReadReply {
  return {
    message,
    finish: 'stop',
    rawFinish: null,
    usage: { inputTokens: 12, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
    model: 'm',
    id: null,
    error: null,
    whole: true,
    ...more,
  };
}
