import { crc32 } from 'node:zlib';
import { headerOf } from '../http/raw-headers.ts';
import type { InterceptionLimits } from '../limits.ts';
import type { Delivery } from './delivery.ts';

/** What makes two requests the same. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: readonly Uint8Array[];
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  /** The client says so when it asks again, even after the reply was delivered. */
  readonly announcesRetries: boolean;
  readonly length: number;
  /** The bytes while the reply is on its way, their checksum afterwards. */
  body: readonly Uint8Array[] | null;
  checksum: number;
  readonly delivery: Delivery;
  /** Unix milliseconds. */
  readonly since: number;
}

/**
 * Tells a retry from a new call. A retry has method, path and body of an earlier call and either that call's
 * `Idempotency-Key`, or an `x-stainless-retry-count` above 0, or the earlier connection is gone without its reply.
 * A call that failed is forgotten: asking again is then a new call.
 */
export class RetryMemory {
  readonly #limits: Pick<InterceptionLimits, 'keptReplies' | 'keptRepliesFor'>;
  #entries: Entry[] = [];

  constructor(limits: Pick<InterceptionLimits, 'keptReplies' | 'keptRepliesFor'>) {
    this.#limits = limits;
  }

  /** The reply that `asked` should join; `conflict` when its key was used for another request. */
  find(asked: Asked): Delivery | 'conflict' | null {
    if (this.#entries.length === 0) return null;
    const key = headerOf(asked.headers, 'idempotency-key');
    const isAnnounced = Number(headerOf(asked.headers, 'x-stainless-retry-count') ?? 0) > 0;
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      const entry = this.#entries[i];
      if (entry === undefined || !entry.delivery.isJoinable) continue;
      if (key !== null && entry.idempotencyKey === key)
        return isSame(entry, asked) ? entry.delivery : 'conflict';
      if (key !== null && entry.idempotencyKey !== null) continue;
      if ((isAnnounced || entry.delivery.isAbandoned) && isSame(entry, asked))
        return entry.delivery;
    }
    return null;
  }

  /** Remembers a call from its start. @returns what to call when the agent has the whole reply, and when it failed */
  add(asked: Asked, delivery: Delivery, now: number): { delivered(): void; failed(): void } {
    const idempotencyKey = headerOf(asked.headers, 'idempotency-key');
    const entry: Entry = {
      method: asked.method,
      path: asked.path,
      idempotencyKey,
      announcesRetries:
        idempotencyKey !== null || headerOf(asked.headers, 'x-stainless-retry-count') !== null,
      length: lengthOf(asked.body),
      body: asked.body,
      checksum: 0,
      delivery,
      since: now,
    };
    this.#entries.push(entry);
    return {
      delivered: () => this.#delivered(entry, now),
      failed: () => this.#forget(entry),
    };
  }

  #delivered(entry: Entry, now: number): void {
    if (!entry.announcesRetries) return this.#forget(entry);
    if (entry.body !== null) entry.checksum = checksumOf(entry.body);
    entry.body = null;
    this.#trim(now);
  }

  #forget(entry: Entry): void {
    const at = this.#entries.indexOf(entry);
    if (at >= 0) this.#entries.splice(at, 1);
  }

  /** Old and surplus replies go, oldest first; the newest stays whatever its size. */
  #trim(now: number): void {
    let bytes = 0;
    const kept: Entry[] = [];
    for (const entry of this.#entries.toReversed()) {
      const isUnderWay = entry.body !== null;
      bytes += isUnderWay ? 0 : entry.delivery.keptBytes;
      const fits =
        bytes <= this.#limits.keptReplies && now - entry.since <= this.#limits.keptRepliesFor;
      if (isUnderWay || kept.length === 0 || fits) kept.push(entry);
    }
    this.#entries = kept.toReversed();
  }
}

function isSame(entry: Entry, asked: Asked): boolean {
  if (
    entry.method !== asked.method ||
    entry.path !== asked.path ||
    entry.length !== lengthOf(asked.body)
  )
    return false;
  return entry.body === null
    ? entry.checksum === checksumOf(asked.body)
    : equalBytes(entry.body, asked.body);
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

function checksumOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((checksum, chunk) => crc32(chunk, checksum), 0);
}

/** Compares two lists of chunks of the same total length, wherever the chunks end. */
function equalBytes(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  let [i, j, atA, atB] = [0, 0, 0, 0];
  for (;;) {
    const left = a[i];
    const right = b[j];
    if (left === undefined || right === undefined) return true;
    const size = Math.min(left.length - atA, right.length - atB);
    const isEqual =
      Buffer.compare(left.subarray(atA, atA + size), right.subarray(atB, atB + size)) === 0;
    if (!isEqual) return false;
    atA += size;
    atB += size;
    if (atA === left.length) [i, atA] = [i + 1, 0];
    if (atB === right.length) [j, atB] = [j + 1, 0];
  }
}
