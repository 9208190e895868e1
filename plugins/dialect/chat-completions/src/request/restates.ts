import type { AssistantMessage } from '@vf/core';
import { isObject, sameReply, stableJson, stringOf } from '@vf/core/dialect';

/**
 * Is `said` the sampled reply as an agent sends it back? Agents drop reasoning, respell and reorder arguments, say
 * `null` for empty content and leave out what they do not understand; text, ids and names stay.
 */
export function restates(sampled: AssistantMessage, said: AssistantMessage): boolean {
  return (
    sameReply(sampled, said) && addsNothing(sampled.providerState ?? [], said.providerState ?? [])
  );
}

/** Opaque items may be left out or come in another order, but none may be new. */
function addsNothing(sampled: readonly unknown[], said: readonly unknown[]): boolean {
  const known = new Set(sampled.map(keyOf));
  return said.every((item) => known.has(keyOf(item)) || isReadable(item));
}

const proofs = ['signature', 'data', 'encrypted_content', 'content'] as const;

function keyOf(item: unknown): string {
  if (!isObject(item)) return stableJson(item) ?? '';
  const proof = proofs.map((name) => item[name]).find((value) => value != null);
  return proof === undefined
    ? (stableJson(item) ?? '')
    : `${stringOf(item['type'])} ${stableJson(proof)}`;
}

/** Reasoning in the clear says nothing that `reasoning` does not. */
function isReadable(item: unknown): boolean {
  if (!isObject(item)) return false;
  const type = stringOf(item['type']) ?? '';
  return type.startsWith('reasoning') && proofs.every((name) => item[name] == null);
}
