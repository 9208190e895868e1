import Anthropic from '@anthropic-ai/sdk';
import { callTool, say, startScriptedModel, think } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { intercept } from './rig.ts';
import type { Rig } from './rig.ts';
import { anthropic, openai } from './sdk-clients.ts';

const script: Script = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return say('It is sunny.');
  return [
    think('Where?', { signature: 'sig' }),
    say('Let me look.'),
    callTool('weather', '{"city": "Bern"}', { id: 'call_1' }),
  ];
};

/** What both turns of a conversation with a tool call leave, whatever the dialect and way of travel. */
const conversation = {
  branches: 1,
  roles: ['user', 'assistant', 'tool', 'assistant'],
  asked: 'Let me look.',
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city": "Bern"}' }],
  lastReply: 'It is sunny.',
  calls: [
    ['tool_calls', null, true],
    ['stop', null, true],
  ],
};

function recorded({ trace }: Rig): typeof conversation {
  const asking = trace.messages[1];
  if (asking?.role !== 'assistant') throw new Error('no second message');
  return {
    branches: trace.branches.length,
    roles: trace.messages.map(({ role }) => role),
    asked: asking.content ?? '',
    toolCalls: (asking.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: args,
    })),
    lastReply: trace.lastReply ?? '',
    calls: trace.calls.map(({ finish, error, usage }) => [
      finish,
      error,
      (usage?.outputTokens ?? 0) > 0,
    ]) as typeof conversation.calls,
  };
}

describe.each([true, false])('stream: %s', (stream) => {
  test('chat completions by the OpenAI SDK', async () => {
    await using model = await startScriptedModel({ script, key: 'provider-key' });
    await using rig = await intercept(model.url);
    const client = openai(rig);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'weather?' }];
    for (let turn = 0; turn < 2; turn++) {
      const body = { model: 'scripted', messages };
      const reply = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const message = reply.choices[0]?.message;
      if (message === undefined) throw new Error('no message');
      messages.push(message, { role: 'tool', tool_call_id: 'call_1', content: 'sun' });
    }
    expect(recorded(rig)).toEqual(conversation);
  });

  test('responses by the OpenAI SDK', async () => {
    await using model = await startScriptedModel({ script, key: 'provider-key' });
    await using rig = await intercept(model.url);
    const client = openai(rig);
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'weather?' }];
    for (let turn = 0; turn < 2; turn++) {
      const body = { model: 'scripted', input };
      const reply = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
      for (const item of reply.output) {
        if (item.type === 'message' || item.type === 'function_call' || item.type === 'reasoning')
          input.push(item);
      }
      input.push({ type: 'function_call_output', call_id: 'call_1', output: 'sun' });
    }
    expect(recorded(rig)).toEqual(conversation);
  });

  test('messages by the Anthropic SDK', async () => {
    await using model = await startScriptedModel({ script, key: 'provider-key' });
    await using rig = await intercept(model.url);
    const client = anthropic(rig);
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'weather?' }];
    for (let turn = 0; turn < 2; turn++) {
      const body = { model: 'scripted', max_tokens: 100, messages };
      const reply = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({ role: 'assistant', content: reply.content });
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sun' }],
      });
    }
    // A tool's input travels as an object here, and was streamed as text.
    const spelt = JSON.stringify({ city: 'Bern' });
    const [call] = recorded(rig).toolCalls;
    expect(JSON.stringify(JSON.parse(call?.arguments ?? ''))).toBe(spelt);
    expect({ ...recorded(rig), toolCalls: [] }).toEqual({ ...conversation, toolCalls: [] });
  });
});

describe('a refusal', () => {
  const refused = { status: 400, code: 'refused', message: 'max_turns reached' } as const;

  test('[wire/refusal] ends both SDKs after one request', async () => {
    await using model = await startScriptedModel({ script });
    await using rig = await intercept(model.url, { admit: () => refused });
    const { url, bearer } = rig;
    const chat = new OpenAI({ baseURL: `${url}/v1`, apiKey: bearer });
    const asked = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hi' }] };
    await expect(chat.chat.completions.create(asked)).rejects.toThrow('max_turns reached');
    const claude = new Anthropic({ baseURL: url, apiKey: bearer });
    await expect(claude.messages.create({ ...asked, max_tokens: 9 })).rejects.toThrow(
      'max_turns reached',
    );
    expect(model.turns).toEqual([]);
  });
});

test('two hundred calls at once, three dialects, streamed', async () => {
  await using model = await startScriptedModel({
    script: ({ messages }) => say(`re: ${JSON.stringify(messages.at(-1)?.content)}`),
  });
  await using rig = await intercept(model.url);
  const [chat, claude] = [openai(rig), anthropic(rig)];
  const ask = async (n: number): Promise<string> => {
    const messages = [{ role: 'user' as const, content: `call ${n}` }];
    if (n % 3 === 0) {
      const reply = await claude.messages
        .stream({ model: 'scripted', max_tokens: 9, messages })
        .finalText();
      return reply;
    }
    if (n % 3 === 1)
      return (await chat.responses.stream({ model: 'scripted', input: messages }).finalResponse())
        .output_text;
    return (
      (await chat.chat.completions.stream({ model: 'scripted', messages }).finalContent()) ?? ''
    );
  };
  const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
  expect(replies).toEqual(replies.map((_, n) => `re: "call ${n}"`));
  expect(rig.trace.calls).toHaveLength(200);
  expect(rig.trace.graph.leaves()).toHaveLength(200);
}, 60_000);
