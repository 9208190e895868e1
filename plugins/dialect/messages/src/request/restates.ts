import type { AssistantMessage } from '@vf/core';
import { isObject, sameReply, stableJson, stringOf } from '@vf/core/dialect';
import { isNotes } from './reply-notes.ts';

/**
 * Is `said` the sampled reply as an agent sends it back? Agents write tool inputs anew with their keys in the order
 * of the schema, and may leave out thinking of older turns; signatures, text, ids and names stay.
 */
export function restates(sampled: AssistantMessage, said: AssistantMessage): boolean {
  if (!sameReply(sampled, said)) return false;
  const known = new Set((sampled.providerState ?? []).map(keyOf));
  return (said.providerState ?? []).every((item) => isNotes(item) || known.has(keyOf(item)));
}

/** What identifies a block: its proof or id, whatever else is restated of it and wherever it stands. */
function keyOf(item: unknown): string {
  if (!isObject(item)) return stableJson(item) ?? '';
  const proof = item['signature'] ?? item['data'] ?? item['tool_use_id'] ?? item['id'];
  return `${stringOf(item['type'])} ${stableJson(proof ?? item)}`;
}
