import { listOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

interface OpenCall {
  id: string;
  name: string;
  args: string;
}

/** A reply under way: texts by key, calls by index. */
interface OpenReply {
  readonly texts: Record<string, string>;
  readonly details: unknown[];
  readonly calls: Map<number, OpenCall>;
  finished: boolean;
}

const textKeys = ['content', 'reasoning', 'reasoning_content'];

/** The plain body of a streamed reply; null without a finish reason. */
export function assembleChat(events: readonly JsonObject[]): JsonObject | null {
  const reply: OpenReply = { texts: {}, details: [], calls: new Map(), finished: false };
  for (const event of events) {
    const choice = objectOf(listOf(event['choices'])[0]);
    if (stringOf(choice['finish_reason']) !== null) reply.finished = true;
    addDelta(reply, objectOf(choice['delta']));
  }
  return reply.finished ? { choices: [{ message: messageOf(reply) }] } : null;
}

function addDelta({ texts, details, calls }: OpenReply, delta: JsonObject): void {
  for (const key of textKeys) {
    const text = stringOf(delta[key]);
    if (text !== null) texts[key] = (texts[key] ?? '') + text;
  }
  details.push(...listOf(delta['reasoning_details']));
  for (const piece of listOf(delta['tool_calls']).map(objectOf)) {
    const index = typeof piece['index'] === 'number' ? piece['index'] : calls.size;
    const call = calls.get(index) ?? { id: '', name: '', args: '' };
    const { name, arguments: args } = objectOf(piece['function']);
    call.id ||= stringOf(piece['id']) ?? '';
    call.name ||= stringOf(name) ?? '';
    call.args += stringOf(args) ?? '';
    calls.set(index, call);
  }
}

function messageOf({ texts, details, calls }: OpenReply): JsonObject {
  const asked = [...calls.values()].map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return {
    role: 'assistant',
    ...texts,
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(asked.length === 0 ? {} : { tool_calls: asked }),
  };
}
