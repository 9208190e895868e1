import type {
  CallError,
  Head,
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
  listOf,
  missingDeltas,
  noneWritten,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { readAssistant } from '../request/assistant.ts';
import { finishOf } from './finish.ts';
import { usageOf } from './usage.ts';

const nothing: ReadReply = {
  message: null,
  finish: null,
  rawFinish: null,
  usage: null,
  model: null,
  id: null,
  error: null,
  whole: false,
};

/** Reads a reply that came in one piece. */
export class PlainReader implements ReplyReader {
  readonly #options: ReaderOptions;
  #reply: ReadReply = nothing;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  push(event: SseEvent): ReadEvent {
    this.#reply = readPlain(this.#options.head, event.data);
    const { error, message } = this.#reply;
    if (error !== null) return { phase: 'terminal', error };
    if (!this.#options.deltas || message === null) return { phase: 'terminal' };
    return { phase: 'terminal', deltas: missingDeltas(message, noneWritten()) };
  }

  end(): ReadReply {
    return this.#reply;
  }
}

function readPlain(head: Head, data: string): ReadReply {
  const body = parseJson(data);
  if (head.status >= 400 || isErrorBody(body)) {
    return { ...nothing, error: callErrorOf(head, body ?? data), whole: true };
  }
  if (!isObject(body)) return { ...nothing, error: malformed(head, 'the reply is no JSON object') };
  const choice = listOf(body['choices']).find(isObject);
  const message = choice?.['message'];
  if (choice === undefined || !isObject(message)) {
    return { ...nothing, error: malformed(head, 'the reply holds no message'), whole: true };
  }
  return readChoice(body, choice, message);
}

function readChoice(body: JsonObject, choice: JsonObject, message: JsonObject): ReadReply {
  const read = readAssistant(message);
  const rawFinish = stringOf(choice['finish_reason']);
  return {
    message: read,
    finish: finishOf(rawFinish, (read.toolCalls ?? []).length > 0),
    rawFinish,
    usage: usageOf(body, objectOf(choice)),
    model: stringOf(body['model']),
    id: stringOf(body['id']),
    error: null,
    whole: true,
  };
}

function malformed(head: Head, message: string): CallError {
  return { status: head.status, code: 'malformed', message };
}
