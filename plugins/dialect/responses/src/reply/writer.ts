import type {
  AssistantMessage,
  Delta,
  Dialect,
  ReadReply,
  ReplyWriter,
  WriterOptions,
} from '@vf/core';
import { countWritten, joinBytes, missingDeltas, noneWritten, sseBytes } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { endedResponse, startedResponse, statusOf } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { isSilent, OutputBuilder } from '../output/output-builder.ts';
import { isOwnItem } from '../output/own-item.ts';
import { deltasOf } from '../output/deltas-of.ts';

export const writer: Dialect['writer'] = (options) =>
  options.stream ? new StreamWriter(options) : new PlainWriter(options);

const nothing = new Uint8Array();

function envelopeOf(options: WriterOptions, id: string | null): Envelope {
  return {
    id: id ?? options.newId('resp_'),
    createdAt: Math.floor(options.now() / 1000),
    settings: options.settings,
  };
}

class StreamWriter implements ReplyWriter {
  readonly #options: WriterOptions;
  readonly #builder: OutputBuilder;
  #envelope: Envelope | null = null;
  #pieces: Uint8Array[] = [];
  #sequence = 0;
  /** Native items that came before anything else; null once the reply is being streamed. */
  #opening: Extract<Delta, { type: 'native' }>[] | null = [];
  readonly #written = noneWritten();
  #reasoning = '';

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#builder = new OutputBuilder((type, fields) => this.#emit(type, fields), options.newId);
  }

  delta(delta: Delta): Uint8Array {
    this.#start(null);
    if (this.#opening !== null && delta.type === 'native') this.#opening.push(delta);
    else if (!this.#isWaiting()) {
      this.#builder.add(delta);
      countWritten(this.#written, delta);
      if (delta.type === 'reasoning') this.#reasoning += delta.text;
    }
    return this.#flush();
  }

  end(reply: ReadReply): Uint8Array {
    const envelope = this.#start(reply.id);
    if (this.#opening !== null) {
      this.#builder.addAll(reply.message === null ? this.#opening : deltasOf(reply.message));
    } else if (reply.message !== null) this.#builder.addAll(this.#missing(reply.message));
    const response = endedResponse(envelope, reply, this.#builder.end());
    this.#emit(`response.${statusOf(reply)}`, { response });
    return this.#flush();
  }

  /** What a client that tells text early leaves for the end; native items say what they are themselves. */
  #missing(message: AssistantMessage): readonly Delta[] {
    if (this.#written.natives > 0) return [];
    const missing = missingDeltas(message, this.#written);
    // Stretches of reasoning that were written apart are joined by lines in the message.
    const isApart = message.reasoning?.startsWith(this.#reasoning) !== true;
    return isApart ? missing.filter(({ type }) => type !== 'reasoning') : missing;
  }

  /**
   * Is the message written at its end? So it is when native items with text come before that text: then all of it is
   * known, and only the end tells in which order.
   */
  #isWaiting(): boolean {
    if (this.#opening === null) return false;
    const isKnown = this.#opening.some(({ item }) => isOwnItem(item) && !isSilent(item));
    if (isKnown) return true;
    this.#builder.addAll(this.#opening);
    for (const delta of this.#opening) countWritten(this.#written, delta);
    this.#opening = null;
    return false;
  }

  #start(id: string | null): Envelope {
    if (this.#envelope !== null) return this.#envelope;
    const envelope = envelopeOf(this.#options, id);
    this.#envelope = envelope;
    this.#emit('response.created', { response: startedResponse(envelope) });
    this.#emit('response.in_progress', { response: startedResponse(envelope) });
    return envelope;
  }

  #emit(type: string, fields: JsonObject): void {
    this.#pieces.push(sseBytes(type, { type, sequence_number: this.#sequence++, ...fields }));
  }

  #flush(): Uint8Array {
    const bytes = joinBytes(this.#pieces);
    this.#pieces = [];
    return bytes;
  }
}

class PlainWriter implements ReplyWriter {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  delta(): Uint8Array {
    return nothing;
  }

  end(reply: ReadReply): Uint8Array {
    const builder = new OutputBuilder(() => undefined, this.#options.newId);
    if (reply.message !== null) builder.addAll(deltasOf(reply.message));
    const response = endedResponse(envelopeOf(this.#options, reply.id), reply, builder.end());
    return new TextEncoder().encode(JSON.stringify(response));
  }
}
