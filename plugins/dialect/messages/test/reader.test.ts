import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, ended, readPlain, readStream, started, stopped, streamOf } from './wire.ts';

const text = (piece: string) => ({ type: 'text_delta', text: piece });
const json = (piece: string) => ({ type: 'input_json_delta', partial_json: piece });
const use = { type: 'tool_use', id: 't', name: 'f', input: {} };

describe('a stream', () => {
  it('[messages/grammar] is put together block by block', () => {
    const read = readStream([
      started,
      { type: 'ping' },
      ...block(0, { type: 'text', text: '' }, text('a'), text('b')),
      { type: 'future_event', index: 0 },
      ...block(1, { type: 'text', text: 'c' }, { type: 'future_delta', text: 'x' }),
      ended({ stop_reason: 'end_turn', stop_sequence: null }),
      stopped,
      '[DONE]',
    ]);
    expect(read).toMatchObject({
      message: { role: 'assistant', content: 'abc' },
      id: 'msg_1',
      model: 'm',
      finish: 'stop',
      rawFinish: 'end_turn',
      whole: true,
    });
    expect(read.events.map(({ phase }) => phase).filter((phase) => phase !== 'more')).toEqual([
      'finished',
      'terminal',
    ]);
  });

  it('[messages/tool-input] keeps the input as it was streamed, wherever it is split', () => {
    const input = '{ "b": "caf\\u00e9 \\/ \\"q\\"", "a" : 1.0 }';
    fc.assert(
      fc.property(fc.array(fc.nat({ max: input.length })), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), input.length];
        const pieces = at.slice(1).map((end, index) => json(input.slice(at[index], end)));
        const read = readStream(streamOf(block(0, use, ...pieces)));
        expect(read.message?.toolCalls).toEqual([{ id: 't', name: 'f', arguments: input }]);
      }),
    );
  });

  it.each([
    [use, [json('')], '{}'],
    [use, [], '{}'],
    [{ ...use, input: { a: 1 } }, [], '{"a":1}'],
    [use, [json('{"a": ')], '{"a": '],
  ])('[messages/tool-input] %j with %j is %s', (start, deltas, expected) => {
    const read = readStream(streamOf(block(0, start, ...deltas)));
    expect(read.message?.toolCalls?.[0]?.arguments).toBe(expected);
    expect(read.finish).toBe('tool_calls');
  });

  it('[messages/signature] belongs to its thinking block', () => {
    const thought = { type: 'thinking', thinking: '', signature: '' };
    const read = readStream(
      streamOf(
        block(
          0,
          thought,
          { type: 'thinking_delta', thinking: 'on' },
          { type: 'thinking_delta', thinking: 'e' },
          { type: 'signature_delta', signature: 'S1' },
        ),
        block(1, thought, { type: 'signature_delta', signature: 'S2' }),
        block(2, thought, { type: 'thinking_delta', thinking: 'two' }),
        block(3, { type: 'text', text: '' }, text('a')),
      ),
    );
    expect(read.message).toEqual({
      role: 'assistant',
      content: 'a',
      reasoning: 'one\ntwo',
      providerState: [
        { type: 'thinking', thinking: 'one', signature: 'S1' },
        { type: 'thinking', thinking: '', signature: 'S2' },
      ],
    });
    const told = read.deltas.map((delta) => (delta.type === 'reasoning' ? delta.text : ''));
    expect(told.join('')).toBe('one\ntwo');
  });

  it('[messages/server-blocks] come whole or in fragments', () => {
    const redacted = { type: 'redacted_thinking', data: 'R' };
    const result = {
      type: 'web_search_tool_result',
      tool_use_id: 's',
      content: [{ encrypted_content: 'E' }],
    };
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const read = readStream(
      streamOf(
        block(0, redacted),
        block(1, search, json('{"q":'), json('"x"}')),
        block(2, result),
        block(
          3,
          { type: 'compaction', content: '' },
          { type: 'compaction_delta', content: 'short' },
        ),
      ),
    );
    expect(read.message?.providerState).toEqual([
      redacted,
      { ...search, input: { q: 'x' } },
      result,
      { type: 'compaction', content: 'short' },
    ]);
    expect(read.deltas).toEqual(
      (read.message?.providerState ?? []).map((item) => ({ type: 'native', item })),
    );
  });

  it('[messages/order] notes an unusual order of blocks', () => {
    const read = readStream(
      streamOf(block(0, use, json('{}')), block(1, { type: 'text', text: '' }, text('after'))),
    );
    expect(read.message?.providerState).toEqual([{ type: 'message', order: ['call', 5] }]);
  });

  it.each([
    [{ output_tokens: 5 }, { inputTokens: 10, outputTokens: 5 }],
    [
      { output_tokens: 5, input_tokens: null, cache_read_input_tokens: null },
      { inputTokens: 10, outputTokens: 5 },
    ],
    [
      {
        output_tokens: 5,
        input_tokens: 3,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
        output_tokens_details: { thinking_tokens: 1 },
      },
      {
        inputTokens: 9,
        outputTokens: 5,
        cachedInputTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 1,
      },
    ],
    [undefined, { inputTokens: 10, outputTokens: 1 }],
  ])('[messages/usage] message_delta with %j', (usage, expected) => {
    const data = [
      started,
      ...block(0, { type: 'text', text: 'a' }),
      ended({ stop_reason: 'end_turn' }, usage ?? null),
      stopped,
    ];
    expect(readStream(data).usage).toEqual(expected);
  });

  it('[messages/usage] zeros everywhere mean that nobody counted', () => {
    expect(
      readPlain({ content: [], usage: { input_tokens: 0, output_tokens: 0 } }).usage,
    ).toBeNull();
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['pause_turn', null],
    ['compaction', null],
    ['something_new', 'stop'],
  ])('[messages/stop-reasons] %s is %s', (raw, finish) => {
    const data = [
      started,
      ...block(0, { type: 'text', text: 'a' }),
      ended({ stop_reason: raw }),
      stopped,
    ];
    expect(readStream(data)).toMatchObject({ finish, rawFinish: raw, whole: true });
  });

  it('[messages/stop-reasons] keeps what explains them', () => {
    const stop_details = { type: 'refusal', category: 'x' };
    const read = readStream([
      started,
      ended({ stop_reason: 'refusal', stop_sequence: null, stop_details }),
      stopped,
    ]);
    expect(read.message?.providerState).toEqual([{ type: 'message', stop_details }]);
  });

  it('[messages/error-event] ends the reply', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const read = readStream([started, ...block(0, { type: 'text', text: 'a' }), error]);
    expect(read.events.at(-1)).toEqual({ phase: 'terminal', error: read.error });
    expect(read).toMatchObject({
      whole: false,
      error: { status: 529, code: 'overloaded', message: 'Overloaded' },
      message: { content: 'a' },
    });
  });

  it('[messages/cut] is not whole without message_stop', () => {
    const start = [started, ...block(0, { type: 'text', text: 'a' })];
    expect(readStream(start)).toMatchObject({
      whole: false,
      finish: null,
      message: { content: 'a' },
    });
    expect(readStream([...start, ended({ stop_reason: 'end_turn' })]).whole).toBe(false);
    expect(readStream([])).toMatchObject({ whole: false, message: null });
  });
});

describe('a reply in one piece', () => {
  it('[messages/plain] reads like its stream', () => {
    const content = [
      { type: 'thinking', thinking: 'why', signature: 'S' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    ];
    const usage = { input_tokens: 10, output_tokens: 5 };
    const plain = readPlain({
      id: 'msg_1',
      type: 'message',
      model: 'm',
      content,
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage,
    });
    const streamed = readStream([
      started,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'why' },
        { type: 'signature_delta', signature: 'S' },
      ),
      ...block(1, { type: 'text', text: '' }, text('a')),
      ...block(2, use, json('{"a":1}')),
      ended({ stop_reason: 'tool_use' }),
      stopped,
    ]);
    const { events: _, deltas: __, ...reply } = plain;
    expect(streamed).toMatchObject(reply);
  });

  it.each([['<html>'], ['{"id":"x"}'], ['[]'], ['']])('[messages/malformed] %s', (body) => {
    expect(readPlain(body)).toMatchObject({
      message: null,
      error: { code: 'malformed', status: 200 },
    });
  });

  it('[messages/malformed] an event that is no JSON, though the rest is whole', () => {
    const [first, ...rest] = streamOf(block(0, { type: 'text', text: 'a' }));
    expect(readStream([first, '{"type', ...rest])).toMatchObject({
      whole: false,
      error: { code: 'malformed', status: 200 },
    });
    expect(readStream([first, '', ...rest, '[DONE]']).error).toBeNull();
  });

  it('[messages/malformed] a stream without a message', () => {
    expect(readStream([{ type: 'ping' }, stopped]).error?.code).toBe('malformed');
  });
});
