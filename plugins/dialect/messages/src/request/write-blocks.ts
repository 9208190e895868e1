import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { notesOf } from './reply-notes.ts';
import type { Place } from './reply-notes.ts';

/** A block to write; a call's input is JSON text that is written as it is. */
export interface WrittenBlock {
  readonly block: JsonObject;
  readonly arguments?: string;
}

/** Items of other dialects that no Messages provider would take. */
const foreign = /\.|_call$|^(reasoning|message|tool_use|audio|part|item_reference)$/;

/** The state blocks among a message's provider state. */
export function isStateBlock(item: unknown): item is JsonObject {
  return isObject(item) && !foreign.test(stringOf(item['type']) ?? '.');
}

/** The inverse of `readBlocks`. Thinking without a signature is written first, when `unsigned` asks for it. */
export function writeBlocks(message: AssistantMessage, unsigned: boolean): readonly WrittenBlock[] {
  const items = message.providerState ?? [];
  const states = items.filter(isStateBlock);
  const callers = callersOf(items);
  const calls = (message.toolCalls ?? []).map((call) => writeCall(call, callers.get(call.id)));
  const text = message.content ?? '';
  const order = orderOf(notesOf(items).order ?? [], states.length, text.length, calls.length);
  const blocks = place(order, states, text, calls);
  const isSigned = states.some((state) => state['type'] === 'thinking');
  return unsigned && !isSigned && message.reasoning
    ? [thinking(message.reasoning), ...blocks]
    : blocks;
}

function thinking(text: string): WrittenBlock {
  return { block: { type: 'thinking', thinking: text, signature: '' } };
}

/** The noted order, if it still fits the message; a rewritten one gets the usual order. */
function orderOf(
  noted: readonly Place[],
  states: number,
  text: number,
  calls: number,
): readonly Place[] {
  const fits =
    noted.filter((spot) => spot === 'state').length === states &&
    noted.filter((spot) => spot === 'call').length === calls &&
    noted.reduce<number>((sum, spot) => sum + (typeof spot === 'number' ? spot : 0), 0) === text;
  if (fits) return noted;
  return [...repeat('state', states), ...(text === 0 ? [] : [text]), ...repeat('call', calls)];
}

function repeat(spot: Place, times: number): readonly Place[] {
  return Array.from({ length: times }, () => spot);
}

function place(
  order: readonly Place[],
  states: readonly JsonObject[],
  text: string,
  calls: readonly WrittenBlock[],
): readonly WrittenBlock[] {
  let [state, call, at] = [0, 0, 0];
  const blocks = order.map((spot) => {
    if (spot === 'call') return calls[call++];
    if (spot === 'state') return { block: states[state++] ?? {} };
    at += spot;
    return { block: { type: 'text', text: text.slice(at - spot, at) } };
  });
  return blocks.filter((block) => block !== undefined);
}

function callersOf(items: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const noted = items.filter(isObject).filter((item) => item['type'] === 'tool_use');
  return new Map(noted.map((item) => [item['id'], item['caller']]));
}

function writeCall({ id, name, arguments: json }: ToolCall, caller: unknown): WrittenBlock {
  const block = { type: 'tool_use', id, name, ...(caller == null ? {} : { caller }) };
  return { block, arguments: json };
}
