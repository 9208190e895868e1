import type {
  CallError,
  Delta,
  Dialect,
  ReadEvent,
  ReadReply,
  ReaderOptions,
  ReplyReader,
  SseEvent,
} from '@vf/core';
import {
  callErrorOf,
  isErrorBody,
  isObject,
  malformed,
  malformedEvent,
  noReply,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { Assembly, outputOf } from './assembly.ts';
import { replyOf } from './outcome.ts';

export const reader: Dialect['reader'] = (options) =>
  options.stream ? new StreamReader(options) : new PlainReader(options);

const more: ReadEvent = { phase: 'more' };
const terminal = /^(response\.(completed|incomplete|failed|cancelled)|error)$/;
/** Events kept unparsed before they are folded in; the terminal event usually makes them superfluous. */
const mostKept = 2048;

class StreamReader implements ReplyReader {
  readonly #options: ReaderOptions;
  readonly #assembly = new Assembly();
  /** Data of events that only matter when the terminal event does not tell all. */
  #kept: string[] = [];
  /** The newest response object, terminal or not. */
  #response: JsonObject = {};
  #error: CallError | null = null;
  /** The reply's items once the terminal event has come. */
  #output: readonly JsonObject[] | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  push({ name, data }: SseEvent): ReadEvent {
    const isOne = data.startsWith('{') && data.endsWith('}');
    if (!this.#options.deltas && isOne && name?.startsWith('response.') && !terminal.test(name)) {
      this.#kept.push(data);
      if (this.#kept.length >= mostKept) this.#foldIn();
      return more;
    }
    const event = parseJson(data);
    if (event === undefined) return this.#malformed({ name, data });
    if (!isObject(event)) return more;
    const type = stringOf(event['type']) ?? name ?? '';
    if (terminal.test(type)) return this.#end(type, event);
    if (!type.startsWith('response.') && isErrorBody(event)) return this.#end('error', event);
    const deltas = this.#take(event);
    return deltas.length === 0 || !this.#options.deltas ? more : { phase: 'more', deltas };
  }

  end(): ReadReply {
    const { head } = this.#options;
    const isWhole = this.#output !== null;
    const output = this.#output ?? this.#settle([]);
    if (this.#error === null && isWhole) return replyOf(this.#response, output, head);
    const broken = { ...this.#response, status: 'failed', error: null };
    const reply = replyOf(broken, output, head);
    return { ...reply, rawFinish: null, error: this.#error, whole: isWhole };
  }

  #end(type: string, event: JsonObject): ReadEvent {
    if (this.#output !== null) return more;
    if (type === 'error') {
      this.#output = this.#settle([]);
      this.#error = callErrorOf(this.#options.head, event);
      return { phase: 'terminal', error: this.#error };
    }
    const response = objectOf(event['response']);
    this.#output = this.#settle(outputOf(response).filter(isObject));
    // The event's own name is the status where the response has none.
    this.#response = { ...response, status: response['status'] ?? type.slice('response.'.length) };
    const deltas = this.#options.deltas ? this.#assembly.settle(this.#output) : [];
    const { error } = replyOf(this.#response, this.#output, this.#options.head);
    return {
      phase: 'terminal',
      ...(error === null ? {} : { error }),
      ...(deltas.length === 0 ? {} : { deltas }),
    };
  }

  /** The items of the reply; events kept are only looked into when the terminal event leaves something out. */
  #settle(told: readonly JsonObject[]): readonly JsonObject[] {
    const lacks = told.some(
      (item) => item['type'] === 'reasoning' && item['encrypted_content'] == null,
    );
    const isComplete =
      told.length > 0 &&
      !(lacks && this.#kept.some((data) => data.includes('"encrypted_content"')));
    if (isComplete && !this.#options.deltas) return told;
    this.#foldIn();
    return this.#assembly.output(told);
  }

  #take(event: JsonObject): readonly Delta[] {
    if (isObject(event['response'])) this.#response = event['response'];
    return this.#assembly.add(event);
  }

  #malformed(event: SseEvent): ReadEvent {
    const error = malformedEvent(this.#options.head, event);
    if (error === null) return more;
    this.#error ??= error;
    return { phase: 'more', error };
  }

  #foldIn(): void {
    const kept = this.#kept;
    this.#kept = [];
    for (const data of kept) {
      const event = parseJson(data);
      if (event === undefined) this.#malformed({ name: null, data });
      else if (isObject(event)) this.#take(event);
    }
  }
}

class PlainReader implements ReplyReader {
  readonly #options: ReaderOptions;
  #reply: ReadReply = noReply;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  push({ data }: { readonly data: string }): ReadEvent {
    const { head } = this.#options;
    const body = parseJson(data);
    if (head.status >= 400 || (isErrorBody(body) && objectOf(body)['output'] === undefined)) {
      return this.#fail(callErrorOf(head, body ?? data), body !== undefined);
    }
    if (!isObject(body)) {
      return this.#fail(malformed(head, 'the reply is no JSON object'), false);
    }
    const output = outputOf(body).filter(isObject);
    this.#reply = replyOf(body, output, head);
    const deltas = this.#options.deltas ? new Assembly().settle(output) : [];
    const { error } = this.#reply;
    return {
      phase: 'terminal',
      ...(error === null ? {} : { error }),
      ...(deltas.length === 0 ? {} : { deltas }),
    };
  }

  end(): ReadReply {
    return this.#reply;
  }

  #fail(error: CallError, whole: boolean): ReadEvent {
    this.#reply = { ...noReply, error, whole };
    return { phase: 'terminal', error };
  }
}
