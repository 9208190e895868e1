import type { Delta } from '@vf/core';
import { describe, expect, it } from 'vitest';
import { codexRich } from './fixtures.ts';
import { parseStream, readStream, replyOf, streamOf, writerOf } from './helpers.ts';
import type { WireEvent } from './helpers.ts';

const deltas: readonly Delta[] = [
  { type: 'reasoning', text: 'let me ' },
  { type: 'reasoning', text: 'think' },
  { type: 'text', text: 'I ' },
  { type: 'text', text: 'look' },
  { type: 'call', index: 0, id: 'c0', name: 'f' },
  { type: 'call', index: 1, id: 'c1', name: 'patch', custom: true },
  { type: 'arguments', index: 1, text: '*** x' },
  { type: 'arguments', index: 0, text: '{}' },
];

const written = replyOf(
  {
    role: 'assistant',
    content: 'I look',
    reasoning: 'let me think',
    toolCalls: [
      { id: 'c0', name: 'f', arguments: '{}' },
      { id: 'c1', name: 'patch', arguments: '*** x', kind: 'custom' },
    ],
  },
  { finish: 'tool_calls' },
);

function typesOf(events: readonly WireEvent[]): readonly string[] {
  return events.map(({ type }) => type.replace('response.', ''));
}

describe('the writer', () => {
  it('[responses/writer-grammar] writes every event of the grammar, in order', () => {
    expect(typesOf(parseStream(streamOf(deltas, written)))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'output_item.added',
      'custom_tool_call_input.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'custom_tool_call_input.done',
      'output_item.done',
      'completed',
    ]);
  });

  it('[responses/writer-sequence] numbers events from 0 and refers to announced items', () => {
    const events = parseStream(streamOf(deltas, written));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const announced = new Map(
      events
        .filter(({ type }) => type === 'response.output_item.added')
        .map((event) => [event['output_index'], (event['item'] as { id: string }).id]),
    );
    const pointing = events.filter((event) => event['item_id'] !== undefined);
    expect(pointing.map((event) => event['item_id'])).toEqual(
      pointing.map((event) => announced.get(event['output_index'])),
    );
    expect([...announced.values()]).toEqual(['rs_2', 'msg_3', 'fc_4', 'ctc_5']);
  });

  it('[responses/writer-terminal] ends with the output, usage and ids of the whole', () => {
    const events = parseStream(streamOf(deltas, written));
    const [first, last] = [events[0], events.at(-1)];
    expect(first?.response).toMatchObject({
      id: 'resp_1',
      status: 'in_progress',
      output: [],
      created_at: 1_700_000_000,
    });
    expect(last?.response).toMatchObject({
      id: 'resp_1',
      status: 'completed',
      output: [
        { type: 'reasoning', summary: [{ text: 'let me think' }] },
        { type: 'message', role: 'assistant', status: 'completed', content: [{ text: 'I look' }] },
        { type: 'function_call', call_id: 'c0', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'c1', input: '*** x' },
      ],
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 17,
      },
    });
  });

  it('[responses/writer-usage] counts what is unknown as 0, since Codex refuses a usage without details', () => {
    const reply = replyOf(
      { role: 'assistant', content: 'hi' },
      { usage: { inputTokens: 3, outputTokens: 1 } },
    );
    expect(parseStream(streamOf([], reply)).at(-1)?.response?.['usage']).toEqual({
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 4,
    });
  });

  it('[responses/writer-native] writes the provider’s own items again, under their ids', () => {
    const read = readStream(parseStream(codexRich[0]?.response?.body ?? ''));
    const again = parseStream(streamOf([], read)).at(-1);
    expect(again?.response?.['output']).toEqual(read.message?.providerState);
  });

  it('[responses/writer-native-late] ends an item as the provider’s own when that comes after its text', () => {
    const events = parseStream(
      streamOf(
        [
          { type: 'text', text: 'hi' },
          {
            type: 'native',
            item: {
              type: 'message',
              id: 'msg_x',
              role: 'assistant',
              phase: 'final_answer',
              content: [{ type: 'output_text', text: 'hi' }],
            },
          },
          { type: 'native', item: { type: 'web_search_call', id: 'ws', status: 'completed' } },
        ],
        replyOf({ role: 'assistant', content: 'hi' }),
      ),
    );
    expect(events.at(-1)?.response?.['output']).toMatchObject([
      { type: 'message', id: 'msg_2', phase: 'final_answer' },
      { type: 'web_search_call', id: 'ws' },
    ]);
  });

  it('[responses/writer-reasoning] keeps stretches of reasoning apart as items, by line as text', () => {
    const stretches: readonly Delta[] = [
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'x' },
      { type: 'reasoning', text: 'b' },
      { type: 'reasoning', text: '\nc' },
      { type: 'text', text: 'y' },
      { type: 'reasoning', text: '\nd' },
    ];
    const reply = replyOf({ role: 'assistant', content: 'xy', reasoning: 'a\nb\nc\nd' });
    const { message } = readStream(parseStream(streamOf(stretches, reply)));
    expect(message).toMatchObject({ content: 'xy', reasoning: 'a\nb\nc\nd' });
    expect(message?.providerState).toHaveLength(5);
  });

  it('[responses/writer-foreign] leaves out the native items of other dialects', () => {
    const foreign: readonly Delta[] = [
      { type: 'native', item: { type: 'thinking', thinking: 't', signature: 's' } },
      { type: 'native', item: { type: 'reasoning.encrypted', data: 'd' } },
      { type: 'text', text: 'hi' },
    ];
    const text = streamOf(foreign, replyOf({ role: 'assistant', content: 'hi' }));
    expect(readStream(parseStream(text)).message?.providerState).toHaveLength(1);
  });

  it('[responses/writer-incomplete] ends a reply that was cut by its limit as incomplete', () => {
    const reply = replyOf(
      { role: 'assistant', content: 'hi' },
      { finish: 'length', rawFinish: 'max_tokens' },
    );
    expect(parseStream(streamOf([], reply)).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });

  it('[responses/writer-failed] ends a failed reply as failed', () => {
    const error = { status: 429, code: 'rate_limit', message: 'slow down' } as const;
    const reply = replyOf(null, { finish: null, error });
    expect(parseStream(streamOf([{ type: 'text', text: 'par' }], reply)).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' } },
    });
  });

  it('[responses/writer-plain] writes nothing of a plain reply before its end', () => {
    const writer = writerOf(false);
    expect(writer.delta({ type: 'text', text: 'hi' })).toHaveLength(0);
    const body: unknown = JSON.parse(new TextDecoder().decode(writer.end(written)));
    expect(body).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{}, {}, {}, {}],
    });
  });
});
