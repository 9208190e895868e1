import type { Dialect, ReadReply } from '@vf/core';
import { listOf, numberOf, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Delta } from '@vf/core';
import { checkIds } from '../engine/check-ids.ts';
import { checkRoom } from '../engine/check-counts.ts';
import { eventOf } from '../engine/stream-events.ts';
import { idOf } from '../engine/vllm-answer.ts';

/** An answer of a chat endpoint that tells its tokens: the reply as the server parsed it, and the ids of both sides. */
export interface ChatAnswer {
  readonly reply: ReadReply;
  readonly promptIds: readonly number[] | null;
  readonly ids: readonly number[] | null;
  readonly logprobs: readonly number[];
  /** The id that each logprob is of; −1 where it does not say. */
  readonly logprobIds: readonly number[];
  /** The stop text that ended the reply, if one did. */
  readonly stopWord: string | null;
}

/** What a reply cannot go beyond. */
export interface ChatBounds {
  /** One more than the largest id. */
  readonly vocabulary: number;
  /** Most ids that were asked for; null: as many as it likes. */
  readonly room: number | null;
}

type Reader = ReturnType<Dialect['reader']>;

/** Collects an answer, whole or event by event. */
export class ChatAnswerReader {
  readonly #reader: Reader;
  #promptIds: readonly number[] | null = null;
  #ids: number[] | null = null;
  readonly #logprobs: number[] = [];
  readonly #logprobIds: number[] = [];
  #stopWord: string | null = null;
  readonly #bounds: ChatBounds;

  constructor(dialect: Dialect, stream: boolean, bounds: ChatBounds) {
    this.#bounds = bounds;
    const head = { status: 200, headers: [] };
    this.#reader = dialect.reader({ stream, deltas: stream, head, edits: [] });
  }

  /**
   * @returns text and reasoning that this event adds
   * @throws EngineFailed for an event that tells a failure, an id that the vocabulary has not, or more than was asked for
   */
  push(data: string, stream: boolean): readonly Delta[] {
    this.#take(stream ? eventOf(data) : objectOf(parseJson(data)));
    const { deltas = [] } = this.#reader.push({ name: null, data });
    return deltas.filter(({ type }) => type === 'text' || type === 'reasoning');
  }

  end(): ChatAnswer {
    return {
      reply: this.#reader.end(),
      promptIds: this.#promptIds,
      ids: this.#ids,
      logprobs: this.#logprobs,
      logprobIds: this.#logprobIds,
      stopWord: this.#stopWord,
    };
  }

  #take(answer: JsonObject): void {
    const choice = objectOf(listOf(answer['choices'])[0]);
    this.#promptIds ??= idsOf(answer['prompt_token_ids']);
    const ids = idsOf(choice['token_ids']);
    if (ids !== null) this.#addIds(ids);
    // Of an end token it is the id.
    this.#stopWord ??= stringOf(choice['stop_reason']);
    for (const entry of listOf(objectOf(choice['logprobs'])['content']).map(objectOf)) {
      this.#logprobs.push(numberOf(entry['logprob']) ?? Number.NaN);
      this.#logprobIds.push(idOf(entry));
    }
  }

  #addIds(ids: readonly number[]): void {
    const { vocabulary, room } = this.#bounds;
    checkIds('vLLM', ids, vocabulary);
    this.#ids ??= [];
    for (const id of ids) this.#ids.push(id);
    checkRoom('vLLM', room, this.#ids.length);
  }
}

/** −1 is in no vocabulary. */
function idsOf(told: unknown): readonly number[] | null {
  return Array.isArray(told) ? told.map((id) => numberOf(id) ?? -1) : null;
}
