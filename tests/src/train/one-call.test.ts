import type { AssistantMessage, Dialect, Message, ToolSpec } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { byteIds } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { intercept } from '../interception/rig.ts';
import type { Rig } from '../interception/rig.ts';
import { anthropic, openai } from '../interception/sdk-clients.ts';
import { callOf, exchangeOf, readReply } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const add: ToolSpec = {
  name: 'add',
  description: 'adds',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};
const hi: Message = { role: 'user', content: 'hi' };
const callText = (a: number): string =>
  `<tool_call>\n{"name": "add", "arguments": {"a": ${a}}}\n</tool_call>`;
const twoCalls = `Both.${callText(1)}\n${callText(2)}<|im_end|>`;

/** How a request of each dialect says whether it takes several calls at a time. */
const spelled = (dialect: Dialect, isParallel: boolean): object =>
  dialect === messages
    ? { tool_choice: { type: 'auto', disable_parallel_tool_use: !isParallel } }
    : { parallel_tool_calls: isParallel };

const argumentsOf = ({ toolCalls = [] }: AssistantMessage): readonly unknown[] =>
  toolCalls.map((made) => JSON.parse(made.arguments) as unknown);

const ways = [chatCompletions, responses, messages].flatMap((dialect) =>
  [false, true].map((stream) => ({ dialect, stream, id: dialect.id })),
);

describe.each(ways)('$id, streamed: $stream: two sampled calls', ({ dialect, stream }) => {
  const settingsOf = (isParallel: boolean) =>
    dialect.request.settings({ model: 'policy', stream, ...spelled(dialect, isParallel) }, '/');

  async function asked(isParallel: boolean) {
    const engine = scriptedEngine(twoCalls, 'Done.<|im_end|>');
    const client = clientOf(engine);
    const call = { ...callOf([hi], stream, [add]), settings: settingsOf(isParallel) };
    const { signal } = new AbortController();
    const { body, tokens } = await client.send(exchangeOf(dialect, call), signal);
    const text = Buffer.concat(await Array.fromAsync(body)).toString();
    const { message, finish } = readReply(dialect, stream, text);
    const told = await tokens;
    if (message === null || told == null) throw new Error('there is no reply');
    return { engine, client, call, signal, message, finish, told };
  }

  test('are both the agent’s that takes several [train/one-call]', async () => {
    const { message, finish, told } = await asked(true);
    expect(finish).toBe('tool_calls');
    expect(argumentsOf(message)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(message.content).toBe('Both.');
    expect(told.counts?.malformedCalls).toBe(0);
  });

  test('are a call and a text to one that takes one at a time [train/one-call]', async () => {
    const { engine, client, call, signal, message, finish, told } = await asked(false);
    expect(finish).toBe('tool_calls');
    expect(argumentsOf(message)).toEqual([{ a: 1 }]);
    expect(message.content).toContain('Both.');
    expect(message.content).toContain('"arguments": {"a": 2}');
    expect([...told.completionIds]).toEqual(byteIds(twoCalls));
    expect(told.counts?.malformedCalls).toBe(1);

    // The next turn goes on from all that was sampled.
    const toolCallId = message.toolCalls?.[0]?.id ?? '';
    const said: Message[] = [hi, message, { role: 'tool', toolCallId, content: '1' }];
    const next = exchangeOf(dialect, { ...call, messages: said }, 'turn', {
      messages: 2,
      tokens: told,
    });
    await Array.fromAsync((await client.send(next, signal)).body);
    const start = [...told.promptIds, ...told.completionIds];
    expect([...(engine.asked[1]?.promptIds ?? [])].slice(0, start.length)).toEqual(start);
  });
});

const parameters = { ...add.parameters };

/** How many calls an agent gets that says nothing of it. */
const callsBySdk: Readonly<Record<string, (rig: Rig) => Promise<number>>> = {
  async 'chat-completions'(rig) {
    const { choices } = await openai(rig).chat.completions.create({
      model: 'policy',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: { name: add.name, parameters } }],
    });
    return choices[0]?.message.tool_calls?.length ?? 0;
  },
  async responses(rig) {
    const { output } = await openai(rig).responses.create({
      model: 'policy',
      input: 'hi',
      tools: [{ type: 'function', name: add.name, parameters, strict: false }],
    });
    return output.filter(({ type }) => type === 'function_call').length;
  },
  async messages(rig) {
    const { content } = await anthropic(rig).messages.create({
      model: 'policy',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ name: add.name, input_schema: { ...parameters, type: 'object' } }],
    });
    return content.filter(({ type }) => type === 'tool_use').length;
  },
};

describe.each(Object.keys(callsBySdk))('%s: a run whose config', (id) => {
  test.each([
    [undefined, 2],
    [true, 2],
    [false, 1],
  ])('says parallel_tool_calls: %s gives %s of two calls [train/one-call]', async (said, calls) => {
    const client = clientOf(scriptedEngine(twoCalls));
    const sampling = said === undefined ? {} : { parallelToolCalls: said };
    await using rig = await intercept('http://nowhere.invalid', { client, sampling });
    expect(await callsBySdk[id]?.(rig)).toBe(calls);
  });
});
