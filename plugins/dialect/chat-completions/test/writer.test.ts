import type { ReadReply } from '@vf/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';
import { readPlain, readText, write, writerOptions } from './wire.ts';

const reply: ReadReply = {
  message: { role: 'assistant', content: 'a' },
  finish: 'stop',
  rawFinish: 'stop',
  usage: {
    inputTokens: 10,
    outputTokens: 3,
    cachedInputTokens: 4,
    cacheWriteTokens: 1,
    reasoningTokens: 2,
    cost: 0.1,
  },
  model: 'm',
  id: 'chatcmpl-1',
  error: null,
  whole: true,
};

const details = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('reasoning.encrypted'), data: fc.string() }),
    fc.record({
      type: fc.constant('reasoning.text'),
      text: fc.string({ minLength: 1 }),
      signature: fc.string({ minLength: 1 }),
    }),
  ),
  { maxLength: 3 },
);

/** Messages with everything a provider may want back. */
const messages = fc
  .record({ field: fc.boolean(), details, refusal: fc.boolean(), audio: fc.boolean() })
  .map(({ field, details: list, refusal, audio }) => [
    ...(field ? [{ type: 'reasoning', field: 'reasoning' }] : []),
    ...list.map((item, index) => ({ ...item, index })),
    ...(refusal
      ? [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }]
      : []),
    ...(audio ? [{ type: 'audio', id: 'audio_1' }] : []),
  ])
  .map((providerState) => ({
    role: 'assistant' as const,
    content: 'text',
    reasoning: 'why',
    toolCalls: [
      { id: 'a', name: 'f', arguments: '{ "x" : 1.0 }' },
      { id: 'b', name: 'g', arguments: 'free', kind: 'custom' as const },
    ],
    ...(providerState.length === 0 ? {} : { providerState }),
  }));

describe('the writer', () => {
  it('[chat/law] [chat/reasoning-field] writes provider state that reads the same', () => {
    fc.assert(
      fc.property(messages, fc.boolean(), (message, includeUsage) => {
        const wanted = {
          ...reply,
          message,
          finish: 'tool_calls' as const,
          rawFinish: 'tool_calls',
        };
        expect(readPlain(write(wanted, false))).toMatchObject(wanted);
        const streamed = readText(write(wanted, true, { includeUsage }));
        expect(streamed).toMatchObject(wanted);
        expect(streamed.message).toEqual(message);
      }),
    );
  });

  it.each([
    ['stop', 'eos', 'eos'],
    ['stop', 'end_turn', 'end_turn'],
    ['length', 'incomplete', 'length'],
    ['content_filter', null, 'content_filter'],
  ] as const)(
    '[chat/finish] %s with the raw word %s is written %s',
    (finish, rawFinish, written) => {
      expect(readPlain(write({ ...reply, finish, rawFinish }, false))).toMatchObject({
        finish,
        rawFinish: written,
      });
    },
  );

  it('[chat/law] gives a usage chunk of its own to those who asked', () => {
    const chunks = (text: string) =>
      text.split('\n\n').filter((event) => event.includes('"usage"'));
    expect(chunks(write(reply, true, { includeUsage: true }))).toHaveLength(1);
    expect(chunks(write(reply, true, { includeUsage: true }))[0]).toContain('"choices":[]');
    expect(chunks(write(reply, true))[0]).toContain('"finish_reason":"stop"');
  });

  it('[chat/law] invents no end for a reply that broke off', () => {
    const broken = write({ ...reply, whole: false, finish: null }, true);
    expect(broken).not.toContain('[DONE]');
    expect(readText(broken)).toMatchObject({ whole: false, message: { content: 'a' } });
    const failed = write(
      { ...reply, error: { status: 500, code: 'provider', message: 'broke' }, whole: false },
      true,
    );
    expect(readText(failed).error).toMatchObject({ code: 'provider', message: 'broke' });
  });

  it('[chat/law] takes ids and times from the rollout', () => {
    const writer = chat.writer(writerOptions(true));
    const text = new TextDecoder().decode(writer.delta({ type: 'text', text: 'a' }));
    expect(JSON.parse(text.slice(6))).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'a' }, finish_reason: null }],
    });
  });
});
