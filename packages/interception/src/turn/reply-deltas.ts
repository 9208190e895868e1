import type { AssistantMessage, Delta } from '@vf/core';

/** A whole message as the pieces a writer takes. */
export function deltasOf(message: AssistantMessage): Delta[] {
  const deltas: Delta[] = (message.providerState ?? []).map((item) => ({ type: 'native', item }));
  if (message.reasoning) deltas.push({ type: 'reasoning', text: message.reasoning });
  if (message.content) deltas.push({ type: 'text', text: message.content });
  for (const [index, call] of (message.toolCalls ?? []).entries()) {
    deltas.push({
      type: 'call',
      index,
      id: call.id,
      name: call.name,
      ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
      ...(call.kind === 'custom' ? { custom: true } : {}),
    });
    deltas.push({ type: 'arguments', index, text: call.arguments });
  }
  return deltas;
}
