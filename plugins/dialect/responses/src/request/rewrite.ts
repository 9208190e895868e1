import type { AssistantMessage, Content, Edit, Message } from '@vf/core';
import { isObject, jsonOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { VfError } from '@vf/core/errors';
import { rewriteParts } from '../content.ts';
import { messagesOf, spansOf } from './messages.ts';
import { assistantItems } from './assistant-items.ts';
import { writeItems } from './write-items.ts';

/**
 * Splices that make message `index` of these items say `message`, ids and other fields of an item kept where its
 * role stays.
 * @throws VfError `taskset/hook_failed` when the message needs more items than it has room for
 */
export function rewriteOf(
  items: readonly unknown[],
  index: number,
  message: Message,
): readonly Edit[] {
  const span = spansOf(items)[index];
  if (span === undefined) return [];
  const old = items.slice(...span);
  const [before] = messagesOf(old);
  if (before === undefined || jsonOf(before) === jsonOf(message)) return [];
  const fresh = freshItems(old, before, message);
  if (fresh.length > old.length) {
    throw new VfError(
      'taskset/hook_failed',
      `a rewritten ${message.role} message needs ${fresh.length} items where the request has ${old.length}`,
      {
        hint: 'rewrite what the message has: text cannot be added to a message of calls alone, nor calls to text',
      },
    );
  }
  return old.flatMap((item, at) =>
    jsonOf(item) === jsonOf(fresh[at]) ? [] : [{ item: span[0] + at, value: fresh[at] }],
  );
}

function freshItems(old: readonly unknown[], before: Message, after: Message): readonly unknown[] {
  const [item] = old;
  if (before.role === 'assistant' && after.role === 'assistant') return restated(old, after);
  if (!isObject(item) || before.role !== after.role) return writeItems([after]);
  if (after.role === 'tool') return [toolItem(item, after.toolCallId, after.content)];
  const isMessage = item['content'] !== undefined && after.role !== 'assistant';
  return isMessage
    ? [{ ...item, content: rewriteParts(item['content'], after.content) }]
    : writeItems([after]);
}

function toolItem(item: JsonObject, callId: string, content: Content): unknown {
  if (item['output'] === undefined)
    return writeItems([{ role: 'tool', toolCallId: callId, content }])[0];
  const id = item['call_id'] === undefined ? {} : { call_id: callId };
  return { ...item, ...id, output: rewriteParts(item['output'], content) };
}

/** The reply's items, each old one that says the same kept as the agent sent it. */
function restated(old: readonly unknown[], after: AssistantMessage): readonly unknown[] {
  const rest = [...old];
  return assistantItems(after).map((item) => {
    const at = rest.findIndex((candidate) => saysTheSame(candidate, item));
    return at < 0 ? item : rest.splice(at, 1)[0];
  });
}

function saysTheSame(a: unknown, b: unknown): boolean {
  const plain = (item: unknown): string =>
    jsonOf(messagesOf([item]).map((message) => ({ ...message, providerState: null })));
  return isObject(a) && isObject(b) && a['type'] === b['type'] && plain(a) === plain(b);
}
