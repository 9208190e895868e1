import type { Head, ReadReply, Reply } from '@vf/core';
import { headerOf } from '../http/raw-headers.ts';
import { UnpackError, unpackWhole } from '../request/unpack.ts';
import { errorOfReply, errorOfSend } from './call-errors.ts';
import type { CallRecord } from './call-record.ts';
import type { AttemptFailure } from './retry-policy.ts';
import { settleReply } from './settle-reply.ts';
import type { Turn } from './turn.ts';

/** A failed reply is plain whatever its label says: it is read whole before anything is decided. */
export function isEventStream(head: Head): boolean {
  if (head.status >= 400) return false;
  return (
    headerOf(head.headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
  );
}

/** Reads a reply that came in one piece, records it and passes it on as it came. */
export async function relayPlain(
  turn: Turn,
  record: CallRecord,
  { head, body }: Reply,
): Promise<AttemptFailure | null> {
  const { clock } = turn.session;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) {
      record.firstByte ??= clock.now();
      chunks.push(chunk);
    }
  } catch (error) {
    return turn.failed(record, errorOfSend(error));
  }
  const isPacked = headerOf(head.headers, 'content-encoding') !== null;
  const reply = readPlain(turn, head, isPacked ? await unpackedCopy(turn, head, chunks) : chunks);
  const error = errorOfReply(head, reply, clock.now());
  if (error !== null) return turn.failed(record, error, { reply, answer: { head, body: chunks } });
  return settleReply(turn, record, reply, { head, body: chunks, isStream: false });
}

function readPlain(turn: Turn, head: Head, chunks: readonly Uint8Array[]): ReadReply {
  const { dialect } = turn.incoming;
  const reader = dialect.reader({ stream: false, deltas: false, head, edits: turn.edited.edits });
  reader.push({ name: null, data: textOf(chunks) });
  return reader.end();
}

function textOf(chunks: readonly Uint8Array[]): string {
  const [first] = chunks;
  if (chunks.length !== 1 || first === undefined) return Buffer.concat(chunks).toString();
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString();
}

/** A packed reply goes out as it came; only what the reader gets is unpacked, as far as it can be. */
async function unpackedCopy(
  turn: Turn,
  head: Head,
  chunks: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const encoding = headerOf(head.headers, 'content-encoding') ?? undefined;
  try {
    return await unpackWhole(chunks, encoding, {
      limit: turn.session.limits.bodyBytes,
      signal: turn.signal,
    });
  } catch (error) {
    if (error instanceof UnpackError) return chunks;
    throw error;
  }
}
