import { describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { bodyText } from '@vf/testkit/conformance';
import { codexRich, engineCases } from './fixtures.ts';
import { eventsOf, parseStream, readBody, readStream } from './helpers.ts';
import type { WireEvent } from './helpers.ts';
import { call, completed, message, reasoning, response, running } from './reply-events.ts';

const told = {
  content: 'hello',
  reasoning: 'think',
  toolCalls: [{ id: 'c1', name: 'f', arguments: '{"a": 1}' }],
};

describe('assembly', () => {
  it('[responses/assemble-terminal] believes the output of the terminal event', () => {
    const read = readStream([
      ...running,
      completed({ output: [{ ...message, content: [{ type: 'output_text', text: 'final' }] }] }),
    ]);
    expect(read.message).toMatchObject({ content: 'final' });
    expect(read.message).not.toHaveProperty('toolCalls');
  });

  it('[responses/assemble-items] falls back to finished items, then to deltas, when the output is empty', () => {
    expect(readStream([...running, completed()]).message).toMatchObject(told);
  });

  it('[responses/assemble-encrypted] puts encrypted reasoning back that only the item’s end carried', () => {
    const read = readStream([...running, completed({ output: [reasoning, message, call] })]);
    expect(read.message).toMatchObject({
      ...told,
      providerState: [{ encrypted_content: 'E' }, message, call],
    });
  });

  it('[responses/assemble-done-only] reads text and arguments that came in done events alone', () => {
    const read = readStream([
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'hello' },
      { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"a": 1}' },
      completed(),
    ]);
    expect(read.message).toMatchObject({ content: 'hello', toolCalls: told.toolCalls });
  });

  it('[responses/assemble-by-id] tells items apart by id where the server does not count them', () => {
    const uncounted = running.map(({ output_index, ...event }) => {
      const id = ['rs', 'msg', 'fc'][Number(output_index)];
      return event['item'] === undefined && id !== undefined
        ? { ...event, type: event.type, item_id: id }
        : event;
    });
    expect(readStream([...uncounted, completed()]).message).toMatchObject(told);
  });

  it('[responses/assemble-by-index] goes by output_index where a server changes ids on the way', () => {
    const renamed = running.map((event, index) =>
      event['output_index'] === undefined ? event : { ...event, item_id: `id_${index}` },
    );
    expect(readStream([...renamed, completed()]).message).toMatchObject(told);
  });

  it('[responses/first-terminal] believes the first terminal event', () => {
    const events = [
      completed({ output: [message] }),
      { type: 'response.failed', response: response({ status: 'failed' }) },
    ];
    expect(readStream(events)).toMatchObject({
      finish: 'stop',
      error: null,
      message: { content: 'hello' },
    });
  });

  it('[responses/unknown-events] passes by events, fields and items that it does not know', () => {
    const events = [
      ...running,
      { type: 'response.quantum.delta', delta: 'x' },
      { type: 'keepalive' },
      {
        type: 'response.output_item.done',
        output_index: 3,
        item: { type: 'quantum_call', id: 'q' },
      },
      completed(),
    ];
    expect(readStream(events).message).toMatchObject(told);
    expect(readStream(events).message?.providerState).toContainEqual({
      type: 'quantum_call',
      id: 'q',
    });
  });

  it('[responses/many-events] reads a reply of more events than it keeps unparsed', () => {
    const added: WireEvent = {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...message, content: [] },
    };
    const delta: WireEvent = {
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta: 'ab',
    };
    const events = [added, ...Array.from({ length: 5000 }, () => delta), completed()];
    expect(readStream(events).message?.content).toBe('ab'.repeat(5000));
  });

  it('[responses/cut] keeps what came of a broken stream and says that it is not whole', () => {
    const read = readStream(running);
    expect(read).toMatchObject({
      whole: false,
      finish: null,
      error: null,
      id: 'resp_1',
      model: 'm',
    });
    expect(read.message).toMatchObject(told);
    expect(readStream([...running, { type: '[DONE]' }]).whole).toBe(false);
  });

  it('[responses/phases] ends with the terminal event and nothing after it', () => {
    const reader = responses.reader({
      stream: true,
      deltas: false,
      head: { status: 200, headers: [] },
      edits: [],
    });
    const phases = [...eventsOf([...running, completed()]), { name: null, data: '[DONE]' }].map(
      (event) => reader.push(event).phase,
    );
    expect(phases).toEqual([...running.map(() => 'more'), 'terminal', 'more']);
  });

  it('[responses/nameless-events] reads streams without event lines', () => {
    const reader = responses.reader({
      stream: true,
      deltas: false,
      head: { status: 200, headers: [] },
      edits: [],
    });
    for (const { data } of eventsOf([...running, completed()])) reader.push({ name: null, data });
    expect(reader.end()).toMatchObject({ whole: true, message: told });
  });
});

describe('outcome', () => {
  it.each([
    ['stop', { output: [message] }, 'stop', 'completed'],
    ['tool_calls', { output: [message, call] }, 'tool_calls', 'completed'],
    [
      'length',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [call] },
      'length',
      'max_output_tokens',
    ],
    [
      'content_filter',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'content_filter',
      'content_filter',
    ],
    [
      'another reason',
      { status: 'incomplete', incomplete_details: { reason: 'steered' } },
      'length',
      'steered',
    ],
  ])('[responses/finish] %s', (_name, more, finish, rawFinish) => {
    expect(readBody(response(more))).toMatchObject({ finish, rawFinish, error: null, whole: true });
    expect(readStream([completed(more)])).toMatchObject({
      finish,
      rawFinish,
      error: null,
      whole: true,
    });
  });

  it('[responses/finish-status] believes the response’s status over the event’s name', () => {
    const vllm = engineCases.find(
      ({ engine, case: name }) => engine === 'vllm' && name === 'responses stream',
    );
    expect(
      readStream(
        parseStream(bodyText(vllm?.response ?? { status: 0, content_type: '', body: '' })),
      ),
    ).toMatchObject({
      finish: 'length',
      rawFinish: 'max_output_tokens',
    });
  });

  it('[responses/finish-event] takes the event’s name where the response has no status', () => {
    const bare = response({ status: undefined });
    expect(readStream([{ type: 'response.incomplete', response: bare }])).toMatchObject({
      finish: 'length',
    });
  });

  it('[responses/background] records nothing of a response that is still queued', () => {
    expect(readBody(response({ status: 'queued' }))).toMatchObject({
      message: null,
      finish: null,
      error: null,
      rawFinish: 'queued',
    });
  });

  it('[responses/compaction] reads a compaction as a reply', () => {
    const output = [
      { type: 'message', role: 'user', content: 'kept' },
      { type: 'compaction', encrypted_content: 'E' },
    ];
    const read = readBody({
      id: 'r',
      object: 'response.compaction',
      output,
      usage: { input_tokens: 9, output_tokens: 1 },
    });
    expect(read).toMatchObject({
      finish: 'stop',
      message: { content: null, providerState: output },
    });
  });

  it('[responses/usage] counts cached and written prompt tokens and reasoning inside their totals', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40, cache_write_tokens: 7 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    };
    expect(readBody(response({ usage })).usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 40,
      cacheWriteTokens: 7,
      reasoningTokens: 5,
    });
    expect(readBody(response({ usage: { input_tokens: 1, output_tokens: 2 } })).usage).toEqual({
      inputTokens: 1,
      outputTokens: 2,
    });
  });

  it('[responses/phase] keeps the phase of a message in its provider state', () => {
    const read = readStream(parseStream(codexRich[1]?.response?.body ?? ''));
    expect(read.message?.providerState).toContainEqual(
      expect.objectContaining({ type: 'message', phase: 'final_answer' }),
    );
  });
});
