import type { Dialect, ReadReply } from '@vf/core';
import { listOf, numberOf, objectOf, parseJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Delta } from '@vf/core';
import { eventOf } from '../engine/engine-http.ts';

/** An answer of a chat endpoint that tells its tokens: the reply as the server parsed it, and the ids of both sides. */
export interface ChatAnswer {
  readonly reply: ReadReply;
  readonly promptIds: readonly number[] | null;
  readonly ids: readonly number[] | null;
  readonly logprobs: readonly number[];
}

type Reader = ReturnType<Dialect['reader']>;

/** Collects an answer, whole or event by event. */
export class ChatAnswerReader {
  readonly #reader: Reader;
  #promptIds: readonly number[] | null = null;
  #ids: number[] | null = null;
  readonly #logprobs: number[] = [];

  constructor(dialect: Dialect, stream: boolean) {
    const head = { status: 200, headers: [] };
    this.#reader = dialect.reader({ stream, deltas: stream, head, edits: [] });
  }

  /** @returns text and reasoning that this event adds; @throws EngineFailed for an event that tells a failure */
  push(data: string, stream: boolean): readonly Delta[] {
    this.#take(stream ? eventOf(data) : objectOf(parseJson(data)));
    const { deltas = [] } = this.#reader.push({ name: null, data });
    return deltas.filter(({ type }) => type === 'text' || type === 'reasoning');
  }

  end(): ChatAnswer {
    const [promptIds, ids] = [this.#promptIds, this.#ids];
    return { reply: this.#reader.end(), promptIds, ids, logprobs: this.#logprobs };
  }

  #take(answer: JsonObject): void {
    const choice = objectOf(listOf(answer['choices'])[0]);
    this.#promptIds ??= idsOf(answer['prompt_token_ids']);
    const ids = idsOf(choice['token_ids']);
    if (ids !== null) this.#ids = [...(this.#ids ?? []), ...ids];
    for (const entry of listOf(objectOf(choice['logprobs'])['content'])) {
      this.#logprobs.push(numberOf(objectOf(entry)['logprob']) ?? Number.NaN);
    }
  }
}

/** −1 is in no vocabulary. */
function idsOf(told: unknown): readonly number[] | null {
  return Array.isArray(told) ? told.map((id) => numberOf(id) ?? -1) : null;
}
