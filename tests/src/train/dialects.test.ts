import type { Dialect, Exchange, Message, Prefix, ToolSpec } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { describe, expect, test } from 'vitest';
import { byteIds, byteTokenizer } from '@vf/testkit';
import { callOf, exchangeOf, readReply } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';
import type { ScriptedEngine } from './scripted-engine.ts';

const dialects: readonly Dialect[] = [chatCompletions, responses, messages];
const both = dialects.flatMap((dialect) =>
  [false, true].map((stream) => ({ dialect, stream, name: dialect.id })),
);
const tool: ToolSpec = {
  name: 'add',
  description: 'adds',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};
const hi: Message = { role: 'user', content: 'hi' };

async function sent(engine: ScriptedEngine, exchange: Exchange) {
  const reply = await clientOf(engine).send(exchange, new AbortController().signal);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  return { ...reply, text };
}

describe.each(both)('$name, streamed: $stream', ({ dialect, stream }) => {
  test('text comes back with its tokens [train/dialects]', async () => {
    const engine = scriptedEngine('hello ünï<|im_end|>');
    const { text, tokens, head } = await sent(engine, exchangeOf(dialect, callOf([hi], stream)));
    const reply = readReply(dialect, stream, text);
    expect(reply).toMatchObject({
      message: { role: 'assistant', content: 'hello ünï' },
      finish: 'stop',
      usage: { outputTokens: 12 },
      whole: true,
    });
    expect(head.headers.join(' ')).toContain(stream ? 'text/event-stream' : 'application/json');
    const told = await tokens;
    expect([...(told?.completionIds ?? [])]).toEqual(byteIds('hello ünï<|im_end|>'));
    expect([...(told?.promptIds ?? [])]).toEqual([...(engine.asked[0]?.promptIds ?? [])]);
    expect(told?.origin).toMatchObject({
      engine: 'vllm',
      renderer: 'qwen3',
      retention: 'tool_cycle',
      templateSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test('a tool call and the reasoning before it do too [train/dialects]', async () => {
    const engine = scriptedEngine(
      '<think>\nwhy\n</think>\n\n<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call><|im_end|>',
    );
    const { text } = await sent(engine, exchangeOf(dialect, callOf([hi], stream, [tool])));
    const { message, finish } = readReply(dialect, stream, text);
    expect(finish).toBe('tool_calls');
    expect(message?.toolCalls).toMatchObject([{ name: 'add', id: expect.any(String) as string }]);
    expect(JSON.parse(message?.toolCalls?.[0]?.arguments ?? '')).toEqual({ a: 1 });
    expect(message?.reasoning).toBe('why');
  });

  test('a call that is not well-formed stays text [train/dialects]', async () => {
    const engine = scriptedEngine('so <tool_call>\n{"name": "add",}\n</tool_call><|im_end|>');
    const { text } = await sent(engine, exchangeOf(dialect, callOf([hi], stream, [tool])));
    const { message, finish } = readReply(dialect, stream, text);
    expect(finish).toBe('stop');
    expect(message?.content).toContain('{"name": "add",}');
    expect(message?.toolCalls).toBeUndefined();
  });
});

describe('what is refused by name', () => {
  test.each(dialects)('$id: an image [train/images]', async (dialect) => {
    const image: Message = {
      role: 'user',
      content: [{ type: 'image', url: 'data:image/png;base64,iVBO' }],
    };
    const engine = scriptedEngine('never');
    const { head, error } = await sent(engine, exchangeOf(dialect, callOf([image])));
    expect(head.status).toBe(400);
    expect(error).toMatchObject({
      code: 'not_renderable',
      message: expect.stringContaining('image'),
    });
    expect(engine.asked).toEqual([]);
  });

  test('a tool that only a provider can run [train/tools]', async () => {
    const search: ToolSpec = { name: 'web_search', kind: 'web_search' };
    const call = callOf([hi], false, [search]);
    const { error } = await sent(scriptedEngine('never'), exchangeOf(responses, call));
    expect(error?.message).toContain('web_search');
    expect(error?.message).toContain('harness.extra_tools = false');
  });
});

describe('a tool that takes free text', () => {
  const patch: ToolSpec = { name: 'apply_patch', kind: 'custom', description: 'patches' };

  test('is a function to the model, and itself to the agent [train/tools]', async () => {
    const engine = scriptedEngine(
      '<tool_call>\n{"name": "apply_patch", "arguments": {"input": "*** Begin"}}\n</tool_call><|im_end|>',
    );
    const call = callOf([hi], true, [patch]);
    const { text } = await sent(engine, exchangeOf(responses, call));
    const { message } = readReply(responses, true, text);
    expect(message?.toolCalls).toMatchObject([
      { kind: 'custom', name: 'apply_patch', arguments: '*** Begin' },
    ]);
    const prompt = Buffer.from((engine.asked[0]?.promptIds ?? []).filter((id) => id < 256));
    expect(prompt.toString()).toContain('"input"');
  });
});

test('a reply beyond the context is no sample [train/side-data]', async () => {
  const engine = scriptedEngine('much too long<|im_end|>');
  const short = { ...engine, contextLength: async () => 30 };
  const { error, tokens } = await sent(short, exchangeOf(chatCompletions, callOf([hi])));
  expect(error?.message).toContain('in a context of 30');
  expect(tokens).toBeUndefined();
});

test('tokens say of which space they are [train/side-data]', async () => {
  const engine = scriptedEngine('ok<|im_end|>');
  const { tokens } = await sent(engine, exchangeOf(chatCompletions, callOf([hi])));
  expect((await tokens)?.space).toEqual({ vocabulary: byteTokenizer.size, context: 1_000_000 });
});

describe('the prompt of a later turn', () => {
  const answered = byteIds('A<|im_end|>');
  const previous = {
    promptIds: Int32Array.from(byteIds('<|im_start|>x')),
    completionIds: Int32Array.from(answered),
  };
  const prefix: Prefix = { messages: 2, tokens: previous };
  const past: Message[] = [hi, { role: 'assistant', content: 'A' }];
  const result: Message = { role: 'tool', toolCallId: 'c', content: 'r' };

  test.each([
    ['a result', [result], true],
    ['two results', [result, result], true],
    ['a system message', [{ role: 'system', content: 's' }], false],
    ['a user message and a result', [hi, result], false],
    ['two user messages', [hi, hi], false],
    ['another reply', [{ role: 'assistant', content: 'b' }, hi], false],
    ['nothing', [], false],
  ] as const)('after %s: bridged %s %s [train/bridge]', async (_, added, isBridged) => {
    const engine = scriptedEngine('B<|im_end|>');
    const call = callOf([...past, ...added]);
    const { tokens } = await sent(engine, exchangeOf(chatCompletions, call, 'turn', prefix));
    const start = [...previous.promptIds, ...answered];
    const ids = [...(engine.asked[0]?.promptIds ?? [])];
    expect(ids.slice(0, start.length).join() === start.join()).toBe(isBridged);
    expect(engine.asked[0]?.recordedLength).toBe(isBridged ? start.length : 0);
    expect((await tokens)?.spans).toHaveLength(call.messages.length);
  });
});

describe('requests that sample nothing', () => {
  test.each(dialects)('$id: the model list [train/side-requests]', async (dialect) => {
    const engine = scriptedEngine('never');
    const { text } = await sent(engine, exchangeOf(dialect, callOf([]), 'models'));
    expect(text).toContain('policy');
    expect(engine.asked).toEqual([]);
  });

  test.each([responses, messages])('$id: a token count [train/side-requests]', async (dialect) => {
    const engine = scriptedEngine('ok<|im_end|>');
    const exchange = exchangeOf(dialect, callOf([hi]), 'count-tokens');
    const { text } = await sent(engine, exchange);
    await sent(engine, exchangeOf(dialect, callOf([hi])));
    const counted = engine.asked[0]?.promptIds.length;
    expect(JSON.parse(text)).toEqual({ input_tokens: counted });
  });
});
