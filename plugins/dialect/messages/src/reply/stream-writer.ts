import type { AssistantMessage, Delta, ReadReply, ReplyWriter, WriterOptions } from '@vf/core';
import { countWritten, joinBytes, missingDeltas, noneWritten, stringOf } from '@vf/core/dialect';
import { errorEvent } from '../errors.ts';
import { isStateBlock, writeBlocks } from '../request/write-blocks.ts';
import { blockDelta, blockEvents, blockStart, blockStop, event } from './block-events.ts';
import { noUsage, writeUsage } from './usage.ts';
import { writeStop } from './write-stop.ts';

type Open =
  | { readonly kind: 'text' | 'thinking' }
  | { readonly kind: 'call'; readonly call: number };

interface LaterCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/** Writes a streamed reply. Blocks stand one after another: calls beside an open one wait until it is closed. */
export class StreamWriter implements ReplyWriter {
  readonly #options: WriterOptions;
  readonly #written = noneWritten();
  readonly #laterCalls = new Map<number, LaterCall>();
  #pieces: Uint8Array[] = [];
  #open: Open | null = null;
  #index = 0;
  #hasThought = false;
  /** Text of the open thinking block. */
  #thought = '';
  /** Thinking written in whole blocks whose text has not come as reasoning yet. */
  #told = '';
  #began = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  delta(delta: Delta): Uint8Array {
    this.#begin(null, null);
    countWritten(this.#written, delta);
    this.#write(delta);
    return this.#take();
  }

  end(reply: ReadReply): Uint8Array {
    const isNew = !this.#began;
    this.#begin(reply.id, reply.model);
    if (reply.message !== null) this.#rest(reply.message, isNew);
    if (reply.error !== null) this.#pieces.push(errorEvent(reply.error));
    else if (reply.whole) this.#finish(reply);
    return this.#take();
  }

  #begin(id: string | null, model: string | null): void {
    if (this.#began) return;
    this.#began = true;
    const message = {
      id: id ?? this.#options.newId('msg_'),
      type: 'message',
      role: 'assistant',
      model: model ?? this.#options.settings.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: noUsage,
    };
    this.#pieces.push(event('message_start', { message }));
  }

  #write(delta: Delta): void {
    switch (delta.type) {
      case 'text':
        this.#enter('text');
        this.#pieces.push(blockDelta(this.#index, 'text_delta', { text: delta.text }));
        return;
      case 'reasoning':
        this.#think(delta.text);
        return;
      case 'native':
        this.#native(delta.item);
        return;
      case 'call':
        this.#startCall(delta.index, delta.id, delta.name);
        return;
      case 'arguments':
        this.#addArguments(delta.index, delta.text);
    }
  }

  #enter(kind: 'text' | 'thinking'): void {
    if (this.#open?.kind === kind) return;
    this.#close();
    this.#open = { kind };
    this.#thought = '';
    const block =
      kind === 'text' ? { type: kind, text: '' } : { type: kind, thinking: '', signature: '' };
    this.#pieces.push(blockStart(this.#index, block));
  }

  #think(text: string): void {
    const rest = this.#untold(text);
    if (rest === '') return;
    // A reader puts a line break before the thinking of a further block.
    const isFurther = this.#open?.kind !== 'thinking' && this.#hasThought;
    this.#hasThought = true;
    this.#enter('thinking');
    const thinking = isFurther && rest.startsWith('\n') ? rest.slice(1) : rest;
    this.#thought += thinking;
    this.#pieces.push(blockDelta(this.#index, 'thinking_delta', { thinking }));
  }

  /** Thinking that came as a whole block is not written again when its text comes too. */
  #untold(text: string): string {
    const told = commonPrefix(this.#told, text);
    this.#told = told === text.length ? this.#told.slice(told) : '';
    return text.slice(told);
  }

  #close(): void {
    if (this.#open === null) return;
    this.#pieces.push(blockStop(this.#index++));
    this.#open = null;
    for (const { id, name, arguments: json } of this.#laterCalls.values()) {
      const block = { type: 'tool_use', id, name };
      this.#pieces.push(...blockEvents(this.#index++, { block, arguments: json }));
    }
    this.#laterCalls.clear();
  }

  #native(item: unknown): void {
    if (!isStateBlock(item)) return;
    const signature = stringOf(item['signature']);
    if (item['type'] === 'thinking' && this.#isOpenThought(stringOf(item['thinking']) ?? '')) {
      if (signature) this.#pieces.push(blockDelta(this.#index, 'signature_delta', { signature }));
      this.#close();
      return;
    }
    this.#close();
    if (item['type'] === 'thinking') this.#tellWhole(stringOf(item['thinking']) ?? '');
    this.#pieces.push(...blockEvents(this.#index++, { block: item }));
  }

  /** Did the open block stream the thinking that is now signed? */
  #isOpenThought(thinking: string): boolean {
    return this.#open?.kind === 'thinking' && thinking !== '' && this.#thought.endsWith(thinking);
  }

  #tellWhole(thinking: string): void {
    if (thinking === '') return;
    this.#told += this.#hasThought ? `\n${thinking}` : thinking;
    this.#hasThought = true;
  }

  #startCall(call: number, id: string, name: string): void {
    if (this.#open?.kind === 'call') {
      this.#laterCalls.set(call, { id, name, arguments: '' });
      return;
    }
    this.#close();
    this.#open = { kind: 'call', call };
    this.#pieces.push(blockStart(this.#index, { type: 'tool_use', id, name, input: {} }));
  }

  #addArguments(call: number, text: string): void {
    const later = this.#laterCalls.get(call);
    if (later !== undefined) later.arguments += text;
    else if (this.#open?.kind === 'call' && this.#open.call === call) {
      this.#pieces.push(blockDelta(this.#index, 'input_json_delta', { partial_json: text }));
    }
  }

  #rest(message: AssistantMessage, isNew: boolean): void {
    if (isNew) {
      for (const block of writeBlocks(message, true))
        this.#pieces.push(...blockEvents(this.#index++, block));
      return;
    }
    for (const delta of missingDeltas(message, this.#written)) this.#write(delta);
    this.#close();
  }

  #finish(reply: ReadReply): void {
    this.#pieces.push(
      event('message_delta', { delta: writeStop(reply), usage: writeUsage(reply.usage) }),
      event('message_stop', {}),
    );
  }

  #take(): Uint8Array {
    const bytes = joinBytes(this.#pieces);
    this.#pieces = [];
    return bytes;
  }
}

function commonPrefix(a: string, b: string): number {
  return a.startsWith(b) ? b.length : b.startsWith(a) ? a.length : 0;
}
