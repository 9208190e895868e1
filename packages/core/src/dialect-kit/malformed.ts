import type { CallError } from '../call.ts';
import type { Head, SseEvent } from '../contract/dialect.ts';

/** A reply that does not parse, or lacks what every reply has. */
export function malformed({ status }: Head, message: string): CallError {
  return { status, code: 'malformed', message };
}

const pings = /^(ping|heartbeat|keep-?alive)$/i;
const shown = 80;

/** The error of a streamed event whose data is no JSON; null for what says nothing: pings, `[DONE]`, no data. */
export function malformedEvent(head: Head, { name, data }: SseEvent): CallError | null {
  const text = data.trim();
  if (text === '' || text === '[DONE]' || pings.test(name ?? '')) return null;
  const start = JSON.stringify(text.slice(0, shown));
  return malformed(head, `an event of the stream is no JSON: ${start}`);
}
