import type {
  CallError,
  Delta,
  ReadEvent,
  ReaderOptions,
  ReadReply,
  ReplyReader,
  SseEvent,
  Usage,
} from '@vf/core';
import {
  callErrorOf,
  isErrorBody,
  isObject,
  listOf,
  malformed,
  malformedEvent,
  numberOf,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assistantMessage } from '../request/assistant.ts';
import { asksForUsage } from '../request/edits.ts';
import { noNativeFields, spelling, stateOf } from '../request/provider-state.ts';
import type { NativeFields } from '../request/provider-state.ts';
import { addDetails, detailsText } from '../request/reasoning-details.ts';
import { finishOf } from './finish.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';
import { usageOf } from './usage.ts';

const more: ReadEvent = { phase: 'more' };

/** Puts a streamed reply together, chunk by chunk. */
export class StreamReader implements ReplyReader {
  readonly #options: ReaderOptions;
  readonly #dropsUsage: boolean;
  readonly #calls = new ToolCallAssembly();
  #text = '';
  #reasoning = '';
  #saysReasoning = false;
  readonly #details: JsonObject[] = [];
  #native: NativeFields = { ...noNativeFields, details: this.#details };
  #usage: Usage | null = null;
  #model: string | null = null;
  #id: string | null = null;
  #rawFinish: string | null = null;
  #error: CallError | null = null;
  #began = false;
  #isDone = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#dropsUsage = asksForUsage(options.edits);
  }

  push(event: SseEvent): ReadEvent {
    if (event.data.trim() === '[DONE]') return this.#done();
    const chunk = parseJson(event.data);
    if (event.name === 'error' || isErrorBody(chunk)) return this.#fail(chunk ?? event.data);
    if (chunk === undefined) return this.#malformed(event);
    return isObject(chunk) ? this.#chunk(chunk) : more;
  }

  end(): ReadReply {
    const calls = this.#calls.calls();
    const whole = this.#error === null && (this.#isDone || this.#rawFinish !== null);
    const message = this.#began
      ? assistantMessage(this.#text, this.#reasoning, calls, stateOf(this.#native))
      : null;
    return {
      message,
      finish: whole && this.#began ? finishOf(this.#rawFinish, calls.length > 0) : null,
      rawFinish: this.#rawFinish,
      usage: this.#usage,
      model: this.#model,
      id: this.#id,
      error: this.#error ?? (whole && !this.#began ? this.#empty() : null),
      whole,
    };
  }

  #empty(): CallError {
    return malformed(this.#options.head, 'the stream holds no choice');
  }

  #malformed(event: SseEvent): ReadEvent {
    const error = malformedEvent(this.#options.head, event);
    if (error === null) return more;
    this.#error ??= error;
    return { phase: 'more', error };
  }

  #done(): ReadEvent {
    this.#isDone = true;
    return this.#options.deltas
      ? { phase: 'terminal', deltas: this.#closingDeltas() }
      : { phase: 'terminal' };
  }

  /** Native items are told whole, so after all their fragments; the spelling was told before the reasoning. */
  #closingDeltas(): readonly Delta[] {
    return stateOf({ ...this.#native, field: 'reasoning_content' }).map((item) => ({
      type: 'native',
      item,
    }));
  }

  #fail(body: unknown): ReadEvent {
    this.#error = callErrorOf(this.#options.head, body);
    return { phase: 'terminal', error: this.#error };
  }

  #chunk(chunk: JsonObject): ReadEvent {
    this.#model = stringOf(chunk['model']) || this.#model;
    this.#id = stringOf(chunk['id']) || this.#id;
    const choices = listOf(chunk['choices']);
    const choice = objectOf(choices.find(isFirst));
    const usage = usageOf(chunk, choice);
    this.#usage = usage ?? this.#usage;
    if (choices.length === 0)
      return usage !== null && this.#dropsUsage ? { phase: 'more', drop: true } : more;
    return this.#choice(choice);
  }

  #choice(choice: JsonObject): ReadEvent {
    this.#began = true;
    const deltas = this.#delta(objectOf(choice['delta'] ?? choice['message']));
    const finish = stringOf(choice['finish_reason']) || null;
    this.#rawFinish = finish ?? this.#rawFinish;
    const phase = finish === null ? 'more' : 'finished';
    return this.#options.deltas ? { phase, deltas } : finish === null ? more : { phase };
  }

  #delta(delta: JsonObject): readonly Delta[] {
    const told = this.#addReasoning(delta);
    const text = stringOf(delta['content']) ?? '';
    this.#text += text;
    if (text !== '') told.push({ type: 'text', text });
    this.#addNative(delta);
    for (const fragment of listOf(delta['tool_calls'])) told.push(...this.#calls.add(fragment));
    const legacy = delta['function_call'];
    if (isObject(legacy)) told.push(...this.#calls.addLegacy(legacy));
    return told;
  }

  /** Text of `reasoning_details` counts while no field beside them has said it. */
  #addReasoning(delta: JsonObject): Delta[] {
    const said = stringOf(delta['reasoning']) || stringOf(delta['reasoning_content']) || '';
    const text = said || (this.#saysReasoning ? '' : detailsText(delta['reasoning_details']));
    if (text === '') return [];
    const told: Delta[] = [];
    if (said !== '') this.#saysReasoning = true;
    if (stringOf(delta['reasoning']) && this.#native.field !== 'reasoning') {
      this.#native = { ...this.#native, field: 'reasoning' };
      told.push({ type: 'native', item: spelling('reasoning') });
    }
    this.#reasoning += text;
    told.push({ type: 'reasoning', text });
    return told;
  }

  #addNative(delta: JsonObject): void {
    const refusal = stringOf(delta['refusal']);
    if (refusal) this.#native = { ...this.#native, refusal: this.#native.refusal + refusal };
    const audio = stringOf(objectOf(delta['audio'])['id']);
    if (audio !== null) this.#native = { ...this.#native, audio };
    addDetails(this.#details, delta['reasoning_details']);
  }
}

/** One reply is recorded; `n` above 1 is relayed, its other choices are not read. */
function isFirst(choice: unknown): boolean {
  return isObject(choice) && (numberOf(choice['index']) ?? 0) === 0;
}
