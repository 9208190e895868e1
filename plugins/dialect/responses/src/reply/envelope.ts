import type { ReadReply, Settings } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';
import { streamedError } from '../errors.ts';
import { writeSettings } from '../request/write-settings.ts';
import { writeUsage } from './usage.ts';

/** What stays the same in each response object of one reply. */
export interface Envelope {
  readonly id: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly settings: Settings;
}

/** The response object at the start of a stream. */
export function startedResponse(envelope: Envelope): JsonObject {
  return {
    ...shell(envelope),
    status: 'in_progress',
    model: envelope.settings.model,
    output: [],
    usage: null,
  };
}

/** The response object at the end, with its output. */
export function endedResponse(
  envelope: Envelope,
  reply: ReadReply,
  output: readonly JsonObject[],
): JsonObject {
  const { error, usage } = reply;
  const status = statusOf(reply);
  return {
    ...shell(envelope),
    status,
    ...(status === 'completed' ? { completed_at: envelope.createdAt } : {}),
    model: reply.model ?? envelope.settings.model,
    output,
    error: error === null ? null : streamedError(error),
    incomplete_details: status === 'incomplete' ? { reason: reasonOf(reply) } : null,
    usage: usage === null ? null : writeUsage(usage),
  };
}

export function statusOf(reply: ReadReply): 'completed' | 'incomplete' | 'failed' {
  if (reply.error !== null) return 'failed';
  return reply.finish === 'length' || reply.finish === 'content_filter'
    ? 'incomplete'
    : 'completed';
}

/** Reasons that Responses has a word for; those of other dialects become the nearest one. */
function reasonOf(reply: ReadReply): string {
  if (reply.finish === 'content_filter') return 'content_filter';
  const own = reply.rawFinish;
  return own === 'max_messages' || own === 'steered' ? own : 'max_output_tokens';
}

function shell({ id, createdAt, settings }: Envelope): JsonObject {
  const {
    temperature,
    top_p,
    max_output_tokens,
    parallel_tool_calls,
    tool_choice,
    reasoning,
    text,
  } = writeSettings(settings, {});
  return {
    id,
    object: 'response',
    created_at: createdAt,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: max_output_tokens ?? null,
    metadata: {},
    parallel_tool_calls: parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: temperature ?? null,
    text: text ?? { format: { type: 'text' } },
    tool_choice: tool_choice ?? 'auto',
    tools: [],
    top_p: top_p ?? null,
    truncation: 'disabled',
  };
}
