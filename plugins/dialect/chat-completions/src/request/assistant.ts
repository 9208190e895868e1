import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, jsonOf, listOf, objectOf, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { partItem, stateOf } from './provider-state.ts';
import type { NativeFields } from './provider-state.ts';
import { detailsText, joinDetails } from './reasoning-details.ts';

/** What the pieces of an assistant message add up to. */
export function assistantMessage(
  text: string,
  reasoning: string,
  toolCalls: readonly ToolCall[],
  providerState: readonly unknown[],
): AssistantMessage {
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(providerState.length === 0 ? {} : { providerState }),
  };
}

/** An assistant message of a request or of a plain reply. */
export function readAssistant(item: JsonObject): AssistantMessage {
  const content = readContent(item['content']);
  const native: NativeFields = {
    field: isSaid(item['reasoning']) ? 'reasoning' : 'reasoning_content',
    details: joinDetails(item['reasoning_details']),
    refusal: content.refusal + (stringOf(item['refusal']) ?? ''),
    audio: stringOf(objectOf(item['audio'])['id']),
    parts: content.parts,
  };
  const reasoning = reasoningOf(item) || content.reasoning;
  return assistantMessage(content.text, reasoning, toolCallsOf(item), stateOf(native));
}

function isSaid(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Reasoning of a message or a delta, whichever field holds it. */
function reasoningOf(item: JsonObject): string {
  return (
    stringOf(item['reasoning']) ||
    stringOf(item['reasoning_content']) ||
    detailsText(item['reasoning_details'])
  );
}

interface AssistantContent {
  text: string;
  reasoning: string;
  refusal: string;
  parts: unknown[];
}

function readContent(content: unknown): AssistantContent {
  const read: AssistantContent = {
    text: stringOf(content) ?? '',
    reasoning: '',
    refusal: '',
    parts: [],
  };
  for (const part of listOf(content)) addPart(read, part);
  return read;
}

function addPart(read: AssistantContent, part: unknown): void {
  if (typeof part === 'string') read.text += part;
  if (!isObject(part)) return;
  if (part['type'] === 'text') read.text += stringOf(part['text']) ?? '';
  else if (part['type'] === 'refusal') read.refusal += stringOf(part['refusal']) ?? '';
  else if (part['type'] === 'thinking' || part['type'] === 'reasoning')
    read.reasoning += thinkingText(part);
  else read.parts.push(partItem(part));
}

/** Mistral and a few gateways put reasoning among the content parts. */
function thinkingText(part: JsonObject): string {
  const thinking = part['thinking'] ?? part['reasoning'] ?? part['text'];
  if (typeof thinking === 'string') return thinking;
  return listOf(thinking)
    .map((piece) => stringOf(objectOf(piece)['text']) ?? '')
    .join('');
}

function toolCallsOf(item: JsonObject): readonly ToolCall[] {
  const calls = listOf(item['tool_calls']).filter(isObject).map(toolCallOf);
  const legacy = item['function_call'];
  return isObject(legacy) ? [...calls, toolCallOf({ function: legacy })] : calls;
}

function toolCallOf(call: JsonObject): ToolCall {
  const custom = isObject(call['custom']) ? call['custom'] : null;
  const called = custom ?? objectOf(call['function']);
  return present<ToolCall>({
    id: stringOf(call['id']) ?? '',
    name: stringOf(called['name']) ?? '',
    arguments: argumentsOf(custom === null ? called['arguments'] : called['input']),
    kind: custom === null ? null : 'custom',
  });
}

/** Arguments as the exact string; a few servers send the object itself. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : jsonOf(value);
}
