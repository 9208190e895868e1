import type { ReadReply, ReplyWriter, WriterOptions } from '@vf/core';
import { assistantFields } from '../request/write-message.ts';
import { errorBody } from '../errors.ts';
import { writeFinish } from './finish.ts';
import { writeLogprobs } from './logprobs.ts';
import { writeUsage } from './usage.ts';

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);

/** Writes a reply in one piece; deltas before its end leave nothing. */
export class PlainWriter implements ReplyWriter {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  delta(): Uint8Array {
    return nothing;
  }

  end(reply: ReadReply): Uint8Array {
    const body = reply.error === null ? this.#body(reply) : errorBody(reply.error);
    return encoder.encode(JSON.stringify(body));
  }

  #body(reply: ReadReply): unknown {
    const { message, finish, rawFinish, usage, id, model } = reply;
    const hasCalls = (message?.toolCalls ?? []).length > 0;
    const fields = message === null ? { content: null } : assistantFields(message);
    const choice = {
      index: 0,
      message: { role: 'assistant', refusal: null, ...fields },
      logprobs: writeLogprobs(this.#options.settings, reply),
      finish_reason: writeFinish(finish, rawFinish, hasCalls),
    };
    return {
      id: id ?? this.#options.newId('chatcmpl-'),
      object: 'chat.completion',
      created: Math.floor(this.#options.now() / 1000),
      model: model ?? this.#options.settings.model,
      choices: [choice],
      ...(usage === null ? {} : { usage: writeUsage(usage) }),
    };
  }
}
