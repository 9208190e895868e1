import type { Head, ReadReply } from '@vf/core';
import { malformed, noReply, objectOf, readPlainBody, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { readAssistant } from '../request/read-blocks.ts';
import { finishOf } from './finish.ts';
import { replyNotes } from './reply-fields.ts';
import { usageOf } from './usage.ts';

/** What a reply in one piece says. */
export function readPlain(head: Head, data: string): ReadReply {
  return readPlainBody(head, data, (body) => {
    const content = body['content'];
    if (Array.isArray(content)) return readContent(body, content);
    return { ...noReply, error: malformed(head, 'the reply holds no content'), whole: true };
  });
}

function readContent(body: JsonObject, content: unknown[]): ReadReply {
  const message = readAssistant(content, replyNotes(body));
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
