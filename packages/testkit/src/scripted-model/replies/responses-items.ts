import type { ContentStep } from '../script.ts';
import { partId } from './encoder.ts';
import type { ReplyFacts } from './encoder.ts';

/** An item of a response's output. */
export type Item = { readonly id: string; readonly type: string } & Readonly<
  Record<string, unknown>
>;

/** The finished item that a step stands for. */
export function itemOf(
  facts: ReplyFacts,
  step: Exclude<ContentStep, { type: 'event' }>,
  index: number,
): Item {
  switch (step.type) {
    case 'text':
      return {
        id: partId('msg', facts.id, index),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        ...(step.phase === undefined ? {} : { phase: step.phase }),
        content: [partOf(step.text)],
      };
    case 'reasoning': {
      const encrypted = step.encrypted ?? step.signature;
      return {
        id: partId('rs', facts.id, index),
        type: 'reasoning',
        summary: step.text === '' ? [] : [{ type: 'summary_text', text: step.text }],
        ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
      };
    }
    default:
      return callItem(facts, step, index);
  }
}

/** The item as it is announced, before its content has come. */
export function openItem(item: Item): Item {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    default:
      return { ...item, summary: [] };
  }
}

/** A text part of a message item. */
export function partOf(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function callItem(
  facts: ReplyFacts,
  step: Extract<ContentStep, { type: 'call' }>,
  index: number,
): Item {
  const common = {
    call_id: step.id ?? partId('call', facts.id, index),
    name: step.name,
    status: 'completed',
  };
  if (step.custom) {
    const id = partId('ctc', facts.id, index);
    return { id, type: 'custom_tool_call', ...common, input: step.arguments };
  }
  const namespace = step.namespace === undefined ? {} : { namespace: step.namespace };
  const id = partId('fc', facts.id, index);
  return { id, type: 'function_call', ...common, arguments: step.arguments, ...namespace };
}
