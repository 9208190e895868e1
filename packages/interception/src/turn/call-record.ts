import type { CallError, ReadReply, Settings, TurnTokens } from '@vf/core';
import type { ModelCall } from '@vf/core/trace';
import type { Price } from '@vf/core';
import { costOf } from './cost.ts';

const longestPartial = 16 * 1024;

/** What is known of a call before it is made. */
export interface CallStart {
  readonly dialect: string;
  readonly endpoint: string;
  readonly requestedModel: string;
  readonly settings: Settings;
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly start: number;
  readonly price: Price | null;
  /** Id of an earlier reply that the request names and that this rollout never got. */
  readonly unknownReply: string | null;
}

/** One attempt while it is under way. */
export class CallRecord {
  readonly #started: CallStart;
  /** Of the provider; null while there is no answer. */
  status: number | null = null;
  /** Unix milliseconds of the first byte of the body. */
  firstByte: number | null = null;
  /** And of its last one so far. */
  lastByte: number | null = null;
  /** What sampled the reply, and what made its ids, where the client says so. */
  weights: TurnTokens['weights'];
  origin: TurnTokens['origin'];
  /** What the client met on the way. */
  counts: TurnTokens['counts'];

  constructor(started: CallStart) {
    this.#started = started;
  }

  /** The call as it is recorded. `reply` is what was read of the answer, if anything was. */
  ended(
    now: number,
    node: number | null,
    reply: ReadReply | null,
    error: CallError | null,
  ): ModelCall {
    const { dialect, endpoint, requestedModel, settings, attempt, start, price, unknownReply } =
      this.#started;
    const usage = reply?.usage ?? null;
    const partial = error === null ? '' : partialText(reply);
    return {
      node,
      dialect,
      endpoint,
      requestedModel,
      model: reply?.model ?? settings.model,
      settings,
      finish: reply?.finish ?? null,
      rawFinish: reply?.rawFinish ?? null,
      usage,
      cost: costOf(usage, price),
      status: this.status,
      attempt,
      start: start / 1000,
      end: now / 1000,
      firstByte: this.firstByte === null ? null : this.firstByte / 1000,
      error,
      ...(error === null || this.lastByte === null ? {} : { lastByte: this.lastByte / 1000 }),
      ...(partial === '' ? {} : { partial }),
      ...(reply?.id == null ? {} : { responseId: reply.id }),
      ...(error !== null || this.weights === undefined ? {} : { weights: this.weights }),
      ...(error !== null || this.origin === undefined ? {} : { origin: this.origin }),
      ...(error !== null || this.counts === undefined ? {} : { counts: this.counts }),
      ...(unknownReply === null ? {} : { unknown: { continues_unknown_reply: unknownReply } }),
    };
  }
}

function partialText(reply: ReadReply | null): string {
  const text = reply?.message?.content ?? '';
  if (text.length * 3 <= longestPartial) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= longestPartial) return text;
  // A character cut in two decodes to a replacement character at the end.
  return bytes
    .subarray(0, longestPartial)
    .toString()
    .replace(/\uFFFD+$/, '');
}
