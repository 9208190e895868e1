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
  missingDeltas,
  noneWritten,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import { readAssistant } from '../request/read-blocks.ts';
import { finishOf } from './finish.ts';
import { replyNotes } from './reply-fields.ts';
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
  if (!Array.isArray(body['content'])) {
    return { ...nothing, error: malformed(head, 'the reply holds no content'), whole: true };
  }
  const message = readAssistant(body['content'], replyNotes(body));
  const rawFinish = stringOf(body['stop_reason']);
  return {
    message,
    finish: finishOf(rawFinish, (message.toolCalls ?? []).length > 0),
    rawFinish,
    usage: usageOf(objectOf(body['usage'])),
    model: stringOf(body['model']),
    id: stringOf(body['id']),
    error: null,
    whole: true,
  };
}

function malformed(head: Head, message: string): CallError {
  return { status: head.status, code: 'malformed', message };
}
