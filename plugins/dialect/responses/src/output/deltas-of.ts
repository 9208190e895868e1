import type { AssistantMessage, Delta, ToolCall } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';
import { reasoningOf, textsOf, toolCallOf } from '../assistant.ts';
import { typeOf } from '../item.ts';
import { nativeItemsOf } from './native-items.ts';

/**
 * A whole message as deltas: item by item where the provider's own items say what it says, each before its text so
 * that it is written under its own id; else all of them before text and calls.
 */
export function deltasOf(message: AssistantMessage): readonly Delta[] {
  const { providerState = [], reasoning, content, toolCalls = [] } = message;
  const native = nativeItemsOf(message);
  if (native !== null) return itemDeltas(native);
  return [
    ...providerState.map((item): Delta => ({ type: 'native', item })),
    ...textDelta('reasoning', reasoning ?? ''),
    ...textDelta('text', content ?? ''),
    ...toolCalls.flatMap(callDeltas),
  ];
}

function itemDeltas(items: readonly JsonObject[]): readonly Delta[] {
  let calls = 0;
  let isFirst = true;
  return items.flatMap((item) => {
    const call = toolCallOf(item);
    const text = typeOf(item) === 'message' ? textsOf(item).join('') : '';
    const thought = typeOf(item) === 'reasoning' ? reasoningOf(item).join('\n') : '';
    const reasoning = thought === '' || isFirst ? thought : `\n${thought}`;
    if (thought !== '') isFirst = false;
    return [
      { type: 'native', item } as const,
      ...textDelta('reasoning', reasoning),
      ...textDelta('text', text),
      ...(call === null ? [] : callDeltas(call, calls++)),
    ];
  });
}

function textDelta(type: 'text' | 'reasoning', text: string): readonly Delta[] {
  return text === '' ? [] : [{ type, text }];
}

function callDeltas(call: ToolCall, index: number): readonly Delta[] {
  const { id, name, namespace, kind } = call;
  const custom = kind === 'custom' ? ({ custom: true } as const) : {};
  return [
    { type: 'call', index, id, name, ...(namespace === undefined ? {} : { namespace }), ...custom },
    { type: 'arguments', index, text: call.arguments },
  ];
}
