import type { CallError, Head, ReadReply, Reply } from '@vf/core';
import { headerOf, withoutHeaders } from '../http/raw-headers.ts';
import { encodingsOf, unpack } from '../request/unpack.ts';
import type { CallRecord } from './call-record.ts';
import { EventStream } from './event-stream.ts';
import type { AttemptFailure } from './retry-policy.ts';
import { settleReply } from './settle-reply.ts';
import type { TurnUnderWay } from './turn-under-way.ts';

/** Passes a streamed reply on event by event while it is read; the terminal event waits for the commit. */
export async function relayStream(
  turn: TurnUnderWay,
  record: CallRecord,
  reply: Reply,
): Promise<AttemptFailure | null> {
  const { head, body } = unpacked(turn, reply);
  const relay = new StreamRelay(turn, record, head, () => reply.failure?.() ?? null);
  let broken: Error | null = null;
  try {
    for await (const chunk of body) {
      record.lastByte = turn.session.clock.now();
      record.firstByte ??= record.lastByte;
      await relay.take(chunk);
    }
  } catch (error) {
    if (relay.commitError !== null) throw relay.commitError;
    broken = error instanceof Error ? error : new Error(String(error));
  }
  return relay.finish(broken);
}

/** A packed stream is unpacked, since its events are looked at one by one, and loses its label. */
function unpacked(turn: TurnUnderWay, reply: Reply): Pick<Reply, 'head' | 'body'> {
  const encoding = headerOf(reply.head.headers, 'content-encoding') ?? undefined;
  if (encodingsOf(encoding).length === 0) return reply;
  const headers = withoutHeaders(
    reply.head.headers,
    new Set(['content-encoding', 'content-length']),
  );
  const limit = turn.session.limits.bodyBytes;
  return {
    head: { ...reply.head, headers },
    body: unpack(reply.body, encoding, { limit, signal: turn.signal }),
  };
}

class StreamRelay {
  readonly #turn: TurnUnderWay;
  readonly #record: CallRecord;
  readonly #head: Head;
  readonly #events: EventStream;
  readonly #failure: () => CallError | null;
  /** All bytes while none has left: what a failed attempt answered. */
  #raw: Uint8Array[] = [];
  /** Those of them that may pass. */
  #waiting: Uint8Array[] = [];
  #outcome: 'open' | 'committed' | 'failed' = 'open';
  /** What the recording itself failed with, told apart from a stream that broke. */
  commitError: Error | null = null;

  constructor(turn: TurnUnderWay, record: CallRecord, head: Head, failure: () => CallError | null) {
    const { dialect } = turn.incoming;
    turn.replyHead = head;
    this.#turn = turn;
    this.#record = record;
    this.#head = head;
    this.#failure = failure;
    this.#events = new EventStream(
      dialect.reader({ stream: true, deltas: false, head, edits: turn.edited.edits }),
    );
  }

  async take(chunk: Uint8Array): Promise<void> {
    const events = this.#events;
    const bytes = events.push(chunk);
    this.#turn.isFinishing = events.isFinished;
    if (this.#isWithheld) {
      this.#raw.push(chunk);
      if (bytes !== null) this.#waiting.push(bytes);
      return;
    }
    this.#pass(bytes);
    if (events.isTerminal && this.#outcome === 'open') await this.#settle(null);
    const { delivery } = this.#turn;
    if (events.isTerminal) delivery.write(events.takeHeld());
    if (delivery.isFull) await delivery.drained();
  }

  /** @param broken what the bytes broke off with; null at a clean end */
  async finish(broken: Error | null): Promise<AttemptFailure | null> {
    const { delivery } = this.#turn;
    const bytes = this.#events.finish(broken === null);
    if (this.#outcome === 'open') {
      if (this.#isWithheld) return this.#finishWithheld(bytes, broken);
      this.#pass(bytes);
      await this.#settle(broken);
    }
    delivery.write(this.#events.takeHeld());
    if (this.#outcome === 'committed' || this.#events.error !== null) delivery.end();
    else delivery.cut();
    return null;
  }

  /** Nothing may leave yet: no event has come, the first one is an error, or a hook wants the whole. */
  get #isWithheld(): boolean {
    if (this.#turn.isBuffered) return true;
    if (this.#turn.delivery.hasBegun) return false;
    const { count, error } = this.#events;
    // A malformed event is not tried again, so nothing waits for the end of its stream.
    return count === 0 || (error !== null && error.code !== 'malformed');
  }

  #pass(bytes: Uint8Array | null): void {
    const { delivery } = this.#turn;
    delivery.begin(this.#head);
    for (const waiting of this.#waiting) delivery.write(waiting);
    this.#waiting = [];
    this.#raw = [];
    if (bytes !== null) delivery.write(bytes);
  }

  /** Records the reply, good or not; it is whole, or will not become so. */
  async #settle(broken: Error | null): Promise<void> {
    const reply = this.#events.read();
    const error = this.#errorOf(reply, broken);
    this.#outcome = error === null ? 'committed' : 'failed';
    try {
      if (error === null) await this.#turn.commit(this.#record, reply);
      else await this.#turn.failed(this.#record, error, { reply });
    } catch (failure) {
      this.commitError = failure instanceof Error ? failure : new Error(String(failure));
      throw this.commitError;
    }
  }

  #finishWithheld(bytes: Uint8Array | null, broken: Error | null): Promise<AttemptFailure | null> {
    const reply = this.#events.read();
    const error = this.#errorOf(reply, broken);
    if (error !== null) {
      const answer = this.#events.error === null ? null : { head: this.#head, body: this.#raw };
      return this.#turn.failed(this.#record, error, { reply, answer });
    }
    const body = [...this.#waiting, bytes ?? new Uint8Array(), this.#events.takeHeld()];
    return settleReply(this.#turn, this.#record, reply, { head: this.#head, body, isStream: true });
  }

  #errorOf(reply: ReadReply, broken: Error | null): CallError | null {
    const said = this.#events.error ?? reply.error;
    if (said !== null && !this.#events.endsInEvent) return this.#failure() ?? said;
    if (broken === null && reply.whole) return null;
    const message =
      broken === null
        ? 'the stream ended before the reply was complete'
        : `the stream broke off: ${broken.message}`;
    return { status: this.#head.status, code: 'cut', message };
  }
}
