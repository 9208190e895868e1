import type { Delta, ReadReply, ReplyWriter, WriterOptions } from '@vf/core';
import {
  countWritten,
  joinBytes,
  missingDeltas,
  noneWritten,
  present,
  sseBytes,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { errorEvent } from '../errors.ts';
import { fieldsOf } from '../request/provider-state.ts';
import type { ReasoningField } from '../request/provider-state.ts';
import { writeFinish } from './finish.ts';
import { writeLogprobs } from './logprobs.ts';
import { writeUsage } from './usage.ts';

const done = new TextEncoder().encode('data: [DONE]\n\n');
const nothing = new Uint8Array(0);

/** Writes a streamed reply. */
export class StreamWriter implements ReplyWriter {
  readonly #options: WriterOptions;
  readonly #written = noneWritten();
  readonly #created: number;
  readonly #customCalls = new Set<number>();
  #field: ReasoningField = 'reasoning_content';
  #began = false;
  /** Opaque fields go last: their text must not be taken for reasoning that comes beside them. */
  readonly #natives: JsonObject[] = [];
  #id: string | null = null;
  #model: string | null = null;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#created = Math.floor(options.now() / 1000);
  }

  delta(delta: Delta): Uint8Array {
    countWritten(this.#written, delta);
    const fields = this.#fields(delta);
    return fields === null ? nothing : this.#choice(fields);
  }

  end(reply: ReadReply): Uint8Array {
    if (!this.#began) {
      this.#id = reply.id;
      this.#model = reply.model;
    }
    const missing = reply.message === null ? [] : missingDeltas(reply.message, this.#written);
    const pieces = missing.map((delta) => this.delta(delta));
    pieces.push(...this.#natives.map((fields) => this.#choice(fields)));
    if (reply.error !== null) pieces.push(errorEvent(reply.error));
    else if (reply.whole) pieces.push(...this.#closing(reply));
    return joinBytes(pieces);
  }

  /** A usage chunk of its own for those who asked for it; else usage rides on the last choice. */
  #closing(reply: ReadReply): readonly Uint8Array[] {
    const { message, finish, rawFinish, usage } = reply;
    const { settings } = this.#options;
    const word = writeFinish(finish, rawFinish, (message?.toolCalls ?? []).length > 0);
    const logprobs = writeLogprobs(settings, reply);
    const end = { ...(logprobs === null ? {} : { logprobs }), finish_reason: word };
    const counts = usage === null ? {} : { usage: writeUsage(usage) };
    if (settings.includeUsage !== true) return [this.#choice({}, end, counts), done];
    const last = usage === null ? [] : [this.#chunk({ choices: [], ...counts })];
    return [this.#choice({}, end), ...last, done];
  }

  #fields(delta: Delta): JsonObject | null {
    switch (delta.type) {
      case 'text':
        return { content: delta.text };
      case 'reasoning':
        return { [this.#field]: delta.text };
      case 'native':
        this.#native(delta.item);
        return null;
      default:
        return { tool_calls: [this.#call(delta)] };
    }
  }

  #native(item: unknown): void {
    const { field, details, refusal, audio } = fieldsOf([item]);
    if (field === 'reasoning') this.#field = field;
    const fields = present<Record<string, unknown>>({
      reasoning_details: details.length === 0 ? null : details,
      refusal: refusal === '' ? null : refusal,
      audio: audio === null ? null : { id: audio },
    });
    if (Object.keys(fields).length > 0) this.#natives.push(fields);
  }

  #call(delta: Extract<Delta, { type: 'call' | 'arguments' }>): JsonObject {
    const { index } = delta;
    if (delta.type === 'arguments') {
      const called = this.#customCalls.has(index)
        ? { custom: { input: delta.text } }
        : { function: { arguments: delta.text } };
      return { index, ...called };
    }
    const { id, name } = delta;
    if (delta.custom !== true)
      return { index, id, type: 'function', function: { name, arguments: '' } };
    this.#customCalls.add(index);
    return { index, id, type: 'custom', custom: { name, input: '' } };
  }

  #choice(
    delta: JsonObject,
    end: JsonObject = { finish_reason: null },
    more: JsonObject = {},
  ): Uint8Array {
    const role = this.#began ? {} : { role: 'assistant' };
    this.#began = true;
    return this.#chunk({
      choices: [{ index: 0, delta: { ...role, ...delta }, ...end }],
      ...more,
    });
  }

  #chunk(fields: JsonObject): Uint8Array {
    this.#id ??= this.#options.newId('chatcmpl-');
    this.#model ??= this.#options.settings.model;
    const head = {
      id: this.#id,
      object: 'chat.completion.chunk',
      created: this.#created,
      model: this.#model,
    };
    return sseBytes(null, { ...head, ...fields });
  }
}
