import type { Head, ReadReply } from '@vf/core';
import {
  callErrorOf,
  isErrorBody,
  isObject,
  malformed,
  noReply,
  objectOf,
  parseJson,
  stringOf,
} from '@vf/core/dialect';
import { readAssistant } from '../request/read-blocks.ts';
import { finishOf } from './finish.ts';
import { replyNotes } from './reply-fields.ts';
import { usageOf } from './usage.ts';

/** What a reply in one piece says. */
export function readPlain(head: Head, data: string): ReadReply {
  const body = parseJson(data);
  if (head.status >= 400 || isErrorBody(body)) {
    return { ...noReply, error: callErrorOf(head, body ?? data), whole: true };
  }
  if (!isObject(body)) return { ...noReply, error: malformed(head, 'the reply is no JSON object') };
  if (!Array.isArray(body['content'])) {
    return { ...noReply, error: malformed(head, 'the reply holds no content'), whole: true };
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
