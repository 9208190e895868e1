import type { AssistantMessage, ToolCall } from '../message.ts';
import { sameArguments } from './same-arguments.ts';

/**
 * Do the canonical fields of a restated reply say what was sampled? Text, ids and names stay as they are; reasoning
 * counts where both have it, arguments count as values. Provider state is the dialect's to compare.
 */
export function sameReply(sampled: AssistantMessage, said: AssistantMessage): boolean {
  const [calls, restated] = [sampled.toolCalls ?? [], said.toolCalls ?? []];
  return (
    (sampled.content ?? '') === (said.content ?? '') &&
    (!sampled.reasoning || !said.reasoning || sampled.reasoning === said.reasoning) &&
    calls.length === restated.length &&
    calls.every((call, index) => sameCall(call, restated[index]))
  );
}

function sameCall(sampled: ToolCall, said: ToolCall | undefined): boolean {
  if (said === undefined || sampled.id !== said.id || sampled.name !== said.name) return false;
  if ((sampled.namespace ?? '') !== (said.namespace ?? '')) return false;
  if ((sampled.kind ?? 'function') !== (said.kind ?? 'function')) return false;
  return sampled.kind === 'custom'
    ? sampled.arguments === said.arguments
    : sameArguments(sampled.arguments, said.arguments);
}
