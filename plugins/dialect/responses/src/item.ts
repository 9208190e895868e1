import { isObject, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Whose part of the conversation an item is. */
export type Side = 'system' | 'user' | 'assistant' | 'tool';

/** An item's type; an item without one is a message when it has a role, else a reference by id. */
export function typeOf(item: JsonObject): string {
  const type = stringOf(item['type']);
  if (type !== null) return type;
  return item['role'] === undefined ? 'item_reference' : 'message';
}

/**
 * The side of an item, known or not: its role decides; without one it is the assistant's, unless the type says that
 * it is the result of something.
 */
export function sideOf(item: unknown): Side {
  if (!isObject(item)) return 'user';
  const role = stringOf(item['role']);
  if (role === 'assistant') return 'assistant';
  if (role === 'system' || role === 'developer') return 'system';
  if (role !== null) return 'user';
  const type = typeOf(item);
  if (type === 'message') return 'user';
  return /_(output|response)$/.test(type) ? 'tool' : 'assistant';
}

/** The id by which a result names the call that it answers. */
export function callIdOf(item: JsonObject): string {
  for (const key of ['call_id', 'approval_request_id', 'id']) {
    const id = stringOf(item[key]);
    if (id !== null) return id;
  }
  return '';
}
