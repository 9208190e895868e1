import type { AssistantMessage, ToolCall } from '@vf/core';
import { isObject, listOf, omit, sameArguments } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { sortedJson } from '@vf/core/trace';
import { reasoningOf } from '../assistant.ts';
import { typeOf } from '../item.ts';

/**
 * Is `said` the sampled reply as an agent says it again? Text and calls must be there (arguments may be respelt);
 * reasoning, phases and hosted calls may be missing, never differ.
 */
export function restates(sampled: AssistantMessage, said: AssistantMessage): boolean {
  return (
    (sampled.content ?? '') === (said.content ?? '') &&
    sameReasoning(sampled, said) &&
    sameCalls(sampled.toolCalls ?? [], said.toolCalls ?? []) &&
    holdsState(sampled, said)
  );
}

/** Reasoning may be left out, or cut down to its summary. */
function sameReasoning(sampled: AssistantMessage, said: AssistantMessage): boolean {
  const restated = said.reasoning ?? '';
  if (restated === '' || restated === sampled.reasoning) return true;
  const summaries = itemsOf(sampled)
    .filter((item) => typeOf(item) === 'reasoning')
    .flatMap((item) => reasoningOf(omit(item, ['content'])));
  return restated === summaries.join('\n');
}

function sameCalls(sampled: readonly ToolCall[], said: readonly ToolCall[]): boolean {
  if (sampled.length !== said.length) return false;
  return said.every((call) => {
    const other = sampled.find((candidate) => candidate.id === call.id);
    if (other === undefined || other.name !== call.name) return false;
    if ((other.namespace ?? '') !== (call.namespace ?? '')) return false;
    const isCustom = call.kind === 'custom';
    if (isCustom !== (other.kind === 'custom')) return false;
    return isCustom
      ? call.arguments === other.arguments
      : sameArguments(other.arguments, call.arguments);
  });
}

/** Everything opaque that is said must have been sampled. */
function holdsState(sampled: AssistantMessage, said: AssistantMessage): boolean {
  const known = new Set(itemsOf(sampled).flatMap(marksOf));
  return itemsOf(said).every((item) => marksOf(item).every((mark) => known.has(mark)));
}

function itemsOf(message: AssistantMessage): readonly JsonObject[] {
  return (message.providerState ?? []).filter(isObject);
}

const canonical = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);

/** What an item says beside text, reasoning and calls, each as one string. */
function marksOf(item: JsonObject): readonly string[] {
  const type = typeOf(item);
  if (!canonical.has(type)) return [sortedJson(omit(item, ['id', 'status']))];
  const marks = ['encrypted_content', 'phase'].flatMap((key) =>
    item[key] === undefined || item[key] === null ? [] : [sortedJson([type, key, item[key]])],
  );
  if (type !== 'message') return marks;
  const refusals = listOf(item['content']).filter(
    (part) => isObject(part) && part['type'] === 'refusal',
  );
  return [...marks, ...refusals.map((part) => sortedJson([type, part]))];
}
