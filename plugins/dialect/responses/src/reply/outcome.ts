import type { AssistantMessage, CallError, Finish, Head, ReadReply } from '@vf/core';
import { callErrorOf, isObject, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { assistantOf } from '../assistant.ts';
import { usageOf } from './usage.ts';

/** The reply that a response object tells, its output put together already. */
export function replyOf(
  response: JsonObject,
  output: readonly JsonObject[],
  head: Head,
): ReadReply {
  const message = output.length === 0 ? null : assistantOf(output);
  const common = {
    usage: usageOf(response['usage']),
    model: stringOf(response['model']),
    id: stringOf(response['id']),
    whole: true,
  };
  // A compaction has no status, and some servers say `completed` in the event only.
  const status = stringOf(response['status']) ?? 'completed';
  const error = errorOf(response, status, head);
  if (error !== null) return { ...common, message, error, finish: null, rawFinish: status };
  if (status !== 'completed' && status !== 'incomplete') {
    // Queued or in progress: the answer is elsewhere, there is nothing to record.
    return { ...common, message: null, error: null, finish: null, rawFinish: status };
  }
  const said = message ?? { role: 'assistant', content: null };
  const reason = status === 'incomplete' ? incompleteReason(response) : null;
  return {
    ...common,
    message: said,
    error: null,
    finish: finishOf(reason, said),
    rawFinish: reason ?? status,
  };
}

function errorOf(response: JsonObject, status: string, head: Head): CallError | null {
  if (isObject(response['error'])) return callErrorOf(head, response);
  if (status === 'failed') return callErrorOf(head, { error: { message: 'the response failed' } });
  return status === 'cancelled'
    ? { status: 0, code: 'aborted', message: 'the response was cancelled' }
    : null;
}

function incompleteReason(response: JsonObject): string {
  return stringOf(objectOf(response['incomplete_details'])['reason']) ?? 'incomplete';
}

function finishOf(reason: string | null, message: AssistantMessage): Finish {
  if (reason === 'content_filter') return 'content_filter';
  if (reason !== null) return 'length';
  return message.toolCalls === undefined ? 'stop' : 'tool_calls';
}
