import type { WireEvent } from './helpers.ts';

export const reasoning = {
  id: 'rs',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'think' }],
};
export const message = {
  id: 'msg',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hello' }],
};
export const call = {
  id: 'fc',
  type: 'function_call',
  call_id: 'c1',
  name: 'f',
  arguments: '{"a": 1}',
};

export function response(more: object): Record<string, unknown> {
  return { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [], ...more };
}

export function completed(more: object = {}): WireEvent {
  return { type: 'response.completed', response: response(more) };
}

/** Events of a reply with reasoning, text and a call, without the terminal one. */
export const running: readonly WireEvent[] = [
  { type: 'response.created', response: response({ status: 'in_progress' }) },
  { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
  {
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index: 0,
    delta: 'thi',
  },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'nk' },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...reasoning, encrypted_content: 'E' },
  },
  { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'hel' },
  { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'lo' },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: ' 1}' },
];
