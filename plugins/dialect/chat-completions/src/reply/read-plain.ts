import type { Head, ReadReply } from '@vf/core';
import {
  isObject,
  listOf,
  malformed,
  noReply,
  objectOf,
  readPlainBody,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { readAssistant } from '../request/assistant.ts';
import { finishOf } from './finish.ts';
import { usageOf } from './usage.ts';

/** What a reply in one piece says. */
export function readPlain(head: Head, data: string): ReadReply {
  return readPlainBody(head, data, (body) => {
    const choice = listOf(body['choices']).find(isObject);
    const message = choice?.['message'];
    if (choice === undefined || !isObject(message)) {
      return { ...noReply, error: malformed(head, 'the reply holds no message'), whole: true };
    }
    const odd = oddField(message);
    if (odd !== null) return { ...noReply, error: malformed(head, odd), whole: true };
    return readChoice(body, choice, message);
  });
}

/** What would pass for a model that said nothing, and be scored as such. */
function oddField({ content, tool_calls: calls }: JsonObject): string | null {
  if (content != null && typeof content !== 'string' && !Array.isArray(content))
    return 'the content of the reply is no text';
  if (calls == null || (Array.isArray(calls) && calls.every(isObject))) return null;
  return 'the tool calls of the reply are no list of calls';
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
