import type { AssistantMessage, Delta, ToolCall } from '@vf/core';

/** A whole message as deltas, native items first so that each item is written under its own id. */
export function deltasOf(message: AssistantMessage): readonly Delta[] {
  const { providerState = [], reasoning, content, toolCalls = [] } = message;
  return [
    ...providerState.map((item): Delta => ({ type: 'native', item })),
    ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
    ...(content ? [{ type: 'text', text: content } as const] : []),
    ...toolCalls.flatMap(callDeltas),
  ];
}

function callDeltas(call: ToolCall, index: number): readonly Delta[] {
  const { id, name, namespace, kind } = call;
  const custom = kind === 'custom' ? ({ custom: true } as const) : {};
  return [
    { type: 'call', index, id, name, ...(namespace === undefined ? {} : { namespace }), ...custom },
    { type: 'arguments', index, text: call.arguments },
  ];
}
