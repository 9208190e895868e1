import type { AssistantMessage, Head, ReadReply, ReplyWriter } from '@vf/core';
import { withoutHeaders } from '../http/raw-headers.ts';
import type { CallRecord } from './call-record.ts';
import { deltasOf } from './reply-deltas.ts';
import type { AttemptFailure } from './retry-policy.ts';
import type { TurnUnderWay } from './turn-under-way.ts';

/** A whole reply as the provider sent it. */
export interface WholeReply {
  readonly head: Head;
  readonly body: readonly Uint8Array[];
  readonly isStream: boolean;
}

/** Commits a reply of which nothing has left yet, and sends it: as it came, or as the hook wants it told. */
export async function settleReply(
  turn: TurnUnderWay,
  record: CallRecord,
  reply: ReadReply,
  original: WholeReply,
): Promise<AttemptFailure | null> {
  let told: AssistantMessage | null = null;
  try {
    if (turn.isBuffered) told = await rewritten(turn, reply.message);
  } catch (error) {
    turn.session.log.error('the response hook failed', { error: String(error) });
    return turn.failed(
      record,
      { status: 400, code: 'aborted', message: 'the response hook failed' },
      { reply },
    );
  }
  await turn.commit(record, reply, told);
  deliver(turn, told === null ? reply : { ...reply, message: told }, original, told !== null);
  return null;
}

async function rewritten(
  turn: TurnUnderWay,
  message: AssistantMessage | null,
): Promise<AssistantMessage | null> {
  const { rewriteReply } = turn.session.spec;
  if (rewriteReply === undefined || message === null) return null;
  return (await rewriteReply(message, turn.signal)) ?? null;
}

function deliver(
  { delivery, session, incoming, edited }: TurnUnderWay,
  reply: ReadReply,
  original: WholeReply,
  isOther: boolean,
): void {
  const { head, body, isStream } = original;
  // An early head promised a stream, whatever came.
  const asStream = isStream || delivery.hasBegun;
  if (!asStream && !isOther) return delivery.whole(head, body);
  const options = {
    stream: asStream,
    settings: edited.settings,
    newId: session.rollout.newId,
    now: session.rollout.now,
  };
  const bytes =
    isOther || !isStream ? written(incoming.dialect.writer(options), reply, asStream) : body;
  if (!asStream)
    return delivery.whole(
      { ...head, headers: withoutHeaders(head.headers, new Set(['content-encoding'])) },
      bytes,
    );
  delivery.begin(head);
  for (const chunk of bytes) delivery.write(chunk);
  delivery.end();
}

function written(writer: ReplyWriter, reply: ReadReply, asStream: boolean): Uint8Array[] {
  const deltas = asStream && reply.message !== null ? deltasOf(reply.message) : [];
  return [Buffer.concat([...deltas.map((delta) => writer.delta(delta)), writer.end(reply)])];
}
