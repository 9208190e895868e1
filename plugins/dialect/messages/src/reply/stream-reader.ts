import type {
  CallError,
  Delta,
  Head,
  ReadEvent,
  ReadReply,
  ReaderOptions,
  ReplyReader,
  SseEvent,
} from '@vf/core';
import {
  callErrorOf,
  isObject,
  malformed,
  malformedEvent,
  numberOf,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { readBlocks } from '../request/read-blocks.ts';
import { isNotes } from '../request/reply-notes.ts';
import { finishOf } from './finish.ts';
import { openBlock } from './open-block.ts';
import type { OpenBlock } from './open-block.ts';
import { replyNotes } from './reply-fields.ts';
import { mergeUsage, usageOf } from './usage.ts';

const more: ReadEvent = { phase: 'more' };

/** Puts a streamed reply together, event by event. */
export class StreamReader implements ReplyReader {
  readonly #head: Head;
  readonly #tells: boolean;
  readonly #blocks = new Map<number, OpenBlock>();
  #calls = 0;
  #hasThought = false;
  #isNewThinking = false;
  #usage: JsonObject = {};
  #model: string | null = null;
  #id: string | null = null;
  #stop: JsonObject = {};
  #error: CallError | null = null;
  #began = false;
  #ended = false;

  constructor(options: ReaderOptions) {
    this.#head = options.head;
    this.#tells = options.deltas;
  }

  push(event: SseEvent): ReadEvent {
    const data = parseJson(event.data);
    const type = stringOf(objectOf(data)['type']) ?? event.name;
    if (type === 'error' || isObject(objectOf(data)['error']))
      return this.#fail(data ?? event.data);
    if (data === undefined) return this.#malformed(event);
    if (!isObject(data)) return more;
    switch (type) {
      case 'message_start':
        return this.#start(objectOf(data['message']));
      case 'content_block_start':
        return this.#tell(this.#open(data));
      case 'content_block_delta':
        return this.#tell(this.#block(data)?.add(objectOf(data['delta'])) ?? []);
      case 'content_block_stop':
        return this.#tell(this.#block(data)?.closing() ?? []);
      case 'message_delta':
        return this.#messageDelta(data);
      case 'message_stop':
        return this.#finish();
      default:
        return more;
    }
  }

  end(): ReadReply {
    const whole = this.#ended && this.#error === null;
    const message = this.#began ? this.#message() : null;
    const raw = stringOf(this.#stop['stop_reason']);
    const isEmpty = whole && message === null;
    return {
      message,
      finish:
        whole && message !== null ? finishOf(raw, (message.toolCalls ?? []).length > 0) : null,
      rawFinish: raw,
      usage: usageOf(this.#usage),
      model: this.#model,
      id: this.#id,
      error: isEmpty ? malformed(this.#head, 'the stream holds no message') : this.#error,
      whole,
    };
  }

  #malformed(event: SseEvent): ReadEvent {
    const error = malformedEvent(this.#head, event);
    if (error === null) return more;
    this.#error ??= error;
    return { phase: 'more', error };
  }

  #message() {
    const inOrder = [...this.#blocks].sort(([a], [b]) => a - b);
    return readBlocks(
      inOrder.map(([, block]) => block.read()),
      replyNotes(this.#stop),
    );
  }

  #start(message: JsonObject): ReadEvent {
    this.#began = true;
    this.#model = stringOf(message['model']);
    this.#id = stringOf(message['id']);
    this.#usage = mergeUsage(this.#usage, message['usage']);
    return more;
  }

  #block(event: JsonObject): OpenBlock | undefined {
    return this.#blocks.get(numberOf(event['index']) ?? 0);
  }

  #open(event: JsonObject): readonly Delta[] {
    this.#began = true;
    const block = openBlock(event['content_block'], this.#calls);
    if (block.isCall) this.#calls++;
    if (block.isThinking) this.#isNewThinking = true;
    this.#blocks.set(numberOf(event['index']) ?? this.#blocks.size, block);
    return block.opening();
  }

  #messageDelta(data: JsonObject): ReadEvent {
    const delta = objectOf(data['delta']);
    this.#stop = mergeUsage(this.#stop, delta);
    this.#usage = mergeUsage(this.#usage, data['usage']);
    return stringOf(delta['stop_reason']) === null ? more : { phase: 'finished' };
  }

  #finish(): ReadEvent {
    this.#ended = true;
    if (!this.#tells) return { phase: 'terminal' };
    const notes = (this.#message().providerState ?? []).filter(isNotes);
    return { phase: 'terminal', deltas: notes.map((item) => ({ type: 'native', item })) };
  }

  #fail(body: unknown): ReadEvent {
    this.#error = callErrorOf(this.#head, body);
    return { phase: 'terminal', error: this.#error };
  }

  #tell(deltas: readonly Delta[]): ReadEvent {
    return this.#tells
      ? { phase: 'more', deltas: deltas.map((delta) => this.#separated(delta)) }
      : more;
  }

  /** Thinking of several blocks is one text, a line break between them. */
  #separated(delta: Delta): Delta {
    if (delta.type !== 'reasoning') return delta;
    const isFurther = this.#hasThought && this.#isNewThinking;
    this.#hasThought = true;
    this.#isNewThinking = false;
    return isFurther ? { type: 'reasoning', text: `\n${delta.text}` } : delta;
  }
}
