import type { CallError, Head, ReadReply, Reply } from '@vf/core';
import { headerOf } from '../http/raw-headers.ts';
import { UnpackError, unpackWhole } from '../request/unpack.ts';
import { errorOfReply, errorOfSend } from './call-errors.ts';
import type { CallRecord } from './call-record.ts';
import type { AttemptFailure } from './retry-policy.ts';
import { settleReply } from './settle-reply.ts';
import type { TurnUnderWay } from './turn-under-way.ts';

/** A failed reply is plain whatever its label says: it is read whole before anything is decided. */
export function isEventStream(head: Head): boolean {
  if (head.status >= 400) return false;
  return (
    headerOf(head.headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
  );
}

/** Reads a reply that came in one piece, records it and passes it on as it came. */
export async function relayPlain(
  turn: TurnUnderWay,
  record: CallRecord,
  { head, body, error: named }: Reply,
): Promise<AttemptFailure | null> {
  const { clock, limits } = turn.session;
  const isFailure = head.status >= 400;
  const limit = isFailure ? limits.errorBytes : limits.bodyBytes;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      record.lastByte = clock.now();
      record.firstByte ??= record.lastByte;
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (error) {
    return turn.failed(record, errorOfSend(error));
  }
  if (length > limit && !isFailure) return turn.failed(record, tooLong(head, limit));
  const isPacked = headerOf(head.headers, 'content-encoding') !== null;
  const plain = isPacked ? await unpackedCopy(turn, head, chunks) : chunks;
  if (plain instanceof UnpackError) return turn.failed(record, notAsPacked(head, plain));
  const reply = readPlain(turn, head, plain);
  const error = named ?? errorOfReply(head, reply, clock.now());
  if (error !== null) {
    const answer = length > limit ? null : { head, body: chunks };
    return turn.failed(record, error, { reply, answer });
  }
  return await settleReply(turn, record, reply, { head, body: chunks, isStream: false });
}

/** A stream that nobody asked for: an agent that waits for one piece cannot read it. */
export async function refuseStream(
  turn: TurnUnderWay,
  record: CallRecord,
  { head, body }: Reply,
): Promise<AttemptFailure> {
  await body[Symbol.asyncIterator]().return?.();
  return turn.failed(record, {
    status: head.status,
    code: 'malformed',
    message: 'the provider streams a reply that was to come in one piece',
  });
}

function tooLong({ status }: Head, limit: number): CallError {
  return { status, code: 'malformed', message: `the reply is longer than ${limit} bytes` };
}

function notAsPacked({ status }: Head, { message }: UnpackError): CallError {
  return { status, code: 'malformed', message: `the reply cannot be unpacked: ${message}` };
}

function readPlain(turn: TurnUnderWay, head: Head, chunks: readonly Uint8Array[]): ReadReply {
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

/** A packed reply goes out as it came; only what the reader gets is unpacked. Of an error's text it gets what came. */
async function unpackedCopy(
  turn: TurnUnderWay,
  head: Head,
  chunks: readonly Uint8Array[],
): Promise<readonly Uint8Array[] | UnpackError> {
  const encoding = headerOf(head.headers, 'content-encoding') ?? undefined;
  try {
    const { bodyBytes, errorBytes } = turn.session.limits;
    const limit = head.status >= 400 ? errorBytes : bodyBytes;
    return await unpackWhole(chunks, encoding, { limit, signal: turn.signal });
  } catch (error) {
    if (error instanceof UnpackError) return head.status >= 400 ? chunks : error;
    throw error;
  }
}
