import type { Delta, ReadReply } from '@vf/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';
import { readPlain, readText, write, writerOptions } from './wire.ts';

const reply: ReadReply = {
  message: { role: 'assistant', content: 'a' },
  finish: 'stop',
  rawFinish: 'end_turn',
  usage: {
    inputTokens: 10,
    outputTokens: 3,
    cachedInputTokens: 4,
    cacheWriteTokens: 1,
    reasoningTokens: 2,
  },
  model: 'm',
  id: 'msg_7',
  error: null,
  whole: true,
};

const blocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1 }) }),
    fc.record({
      type: fc.constant('thinking'),
      thinking: fc.string(),
      signature: fc.string({ minLength: 1 }),
    }),
    fc.record({ type: fc.constant('redacted_thinking'), data: fc.string() }),
    fc.record({
      type: fc.constant('web_search_tool_result'),
      tool_use_id: fc.string(),
      content: fc.array(fc.string()),
    }),
    fc.record({
      type: fc.constant('tool_use'),
      id: fc.uuid(),
      name: fc.string(),
      input: fc.dictionary(fc.string(), fc.string()),
    }),
  ),
);

function streamed(deltas: readonly Delta[], wanted: ReadReply): string {
  const writer = dialect.writer(writerOptions(true));
  const pieces = [...deltas.map((delta) => writer.delta(delta)), writer.end(wanted)];
  return pieces.map((piece) => new TextDecoder().decode(piece)).join('');
}

describe('the writer', () => {
  it('[messages/law] [messages/order] writes any blocks so that they read the same', () => {
    fc.assert(
      fc.property(blocks, (content) => {
        const wanted = readPlain({
          id: 'msg_7',
          model: 'm',
          content,
          stop_reason: 'end_turn',
          usage: { input_tokens: 1, output_tokens: 1 },
        });
        const { events: _, deltas, ...expected } = wanted;
        expect(readPlain(write(wanted, false))).toMatchObject(expected);
        expect(readText(write(wanted, true))).toMatchObject(expected);
        const { id: __, ...rest } = expected;
        const again = readText(write(wanted, true)).deltas;
        expect(readText(streamed(again, wanted))).toMatchObject(rest);
        expect(deltas.filter(({ type }) => type === 'call')).toEqual(
          again.filter(({ type }) => type === 'call'),
        );
      }),
    );
  });

  it('[messages/law] keeps usage, stop sequences and reasons', () => {
    const message = {
      role: 'assistant',
      content: 'a',
      providerState: [{ type: 'message', stop_sequence: 'END' }],
    } as const;
    const wanted = { ...reply, message, rawFinish: 'stop_sequence' };
    expect(readPlain(write(wanted, false))).toMatchObject(wanted);
    expect(readText(write(wanted, true))).toMatchObject(wanted);
    expect(readText(write({ ...reply, usage: null }, true)).usage).toBeNull();
    const paused = { ...reply, finish: null, rawFinish: 'pause_turn' };
    expect(readText(write(paused, true))).toMatchObject({ finish: null, rawFinish: 'pause_turn' });
    expect(
      readPlain(write({ ...reply, finish: 'length', rawFinish: 'incomplete' }, false)).rawFinish,
    ).toBe('max_tokens');
  });

  it('[messages/stop-word] says which text ended a reply, in an agent that reads it too', () => {
    const message = { role: 'assistant', content: 'a' } as const;
    const stopped = { ...reply, message, rawFinish: null, stopWord: 'END' };
    const told = { finish: 'stop', rawFinish: 'stop_sequence' };
    const providerState = [{ type: 'message', stop_sequence: 'END' }];
    for (const read of [readPlain(write(stopped, false)), readText(write(stopped, true))]) {
      expect(read).toMatchObject({ ...told, message: { ...message, providerState } });
    }
  });

  it('[messages/tool-input] writes a plain input as it was sampled', () => {
    const toolCalls = [
      { id: 't', name: 'f', arguments: '{ "n": 9007199254740993, "x": 1.0 }' },
      { id: 'u', name: 'f', arguments: '{broken' },
    ];
    const body = write(
      { ...reply, message: { role: 'assistant', content: null, toolCalls } },
      false,
    );
    expect(body).toContain('"input":{ "n": 9007199254740993, "x": 1.0 }');
    expect(readPlain(body).message?.toolCalls?.[1]?.arguments).toBe('{broken');
  });

  it('[messages/event-lines] names every event', () => {
    const events = write(reply, true).trimEnd().split('\n\n');
    expect(events.map((event) => event.split('\n')[0])).toEqual([
      'event: message_start',
      'event: content_block_start',
      'event: content_block_delta',
      'event: content_block_stop',
      'event: message_delta',
      'event: message_stop',
    ]);
  });

  it('[messages/sequential-blocks] writes interleaved calls one after another', () => {
    const deltas: readonly Delta[] = [
      { type: 'call', index: 0, id: 'a', name: 'f' },
      { type: 'call', index: 1, id: 'b', name: 'g' },
      { type: 'arguments', index: 1, text: '{"y"' },
      { type: 'arguments', index: 0, text: '{"x":1}' },
      { type: 'arguments', index: 1, text: ':2}' },
    ];
    const toolCalls = [
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{"y":2}' },
    ];
    const written = streamed(deltas, {
      ...reply,
      message: { role: 'assistant', content: null, toolCalls },
    });
    expect(readText(written).message?.toolCalls).toEqual(toolCalls);
    const order = [
      ...written.matchAll(/"type":"(content_block_start|content_block_stop)","index":(\d)/g),
    ].map(([, type, index]) => [type, index]);
    expect(order).toEqual([
      ['content_block_start', '0'],
      ['content_block_stop', '0'],
      ['content_block_start', '1'],
      ['content_block_stop', '1'],
    ]);
  });

  it('[messages/signature] signs the thinking that it belongs to', () => {
    const omitted = { type: 'thinking', thinking: '', signature: 'S' };
    const signed = { type: 'thinking', thinking: 'two', signature: 'T' };
    const deltas: readonly Delta[] = [
      { type: 'reasoning', text: 'one' },
      { type: 'native', item: omitted },
      { type: 'reasoning', text: '\ntwo' },
      { type: 'native', item: signed },
    ];
    const message = {
      role: 'assistant',
      content: null,
      reasoning: 'one\ntwo',
      providerState: [omitted, signed],
    } as const;
    expect(readText(streamed(deltas, { ...reply, message })).message).toEqual(message);
  });

  it('[messages/law] invents no end for a reply that broke off', () => {
    const broken = write({ ...reply, whole: false, finish: null }, true);
    expect(broken).not.toContain('message_stop');
    expect(readText(broken)).toMatchObject({ whole: false, message: { content: 'a' } });
  });
});
