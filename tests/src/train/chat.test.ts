import type { Dialect, Message, ToolSpec } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { openTrainClient } from '@vf/train';
import { describe, expect, test } from 'vitest';
import { ask, chatServer, recorded } from './chat-server.ts';
import { callOf, exchangeOf, readReply } from './exchange.ts';

const plain = recorded('chat return_token_ids');
const streamed = recorded('chat return_token_ids stream');
const { signal } = new AbortController();
const hi: Message = { role: 'user', content: 'What is 3 + 4?' };
const dialects: readonly Dialect[] = [chatCompletions, responses, messages];

describe.each(dialects)('$id', (dialect) => {
  test('a plain reply has the ids that vLLM told [train/chat]', async () => {
    const { text, tokens, asked } = await ask(plain, { dialect });
    expect(readReply(dialect, false, text)).toMatchObject({
      message: { role: 'assistant', content: '3 + 4 = 7.' },
      finish: 'stop',
      whole: true,
    });
    const told = await tokens;
    expect([...(told?.completionIds ?? [])]).toEqual([35, 1232, 216, 36, 446, 216, 39, 30, 2]);
    expect(told?.promptIds).toHaveLength(38);
    expect(told?.logprobs[0]).toBeCloseTo(-2.2007, 4);
    expect(told?.spans).toEqual([null]);
    expect(asked).toMatchObject({
      logprobs: true,
      return_token_ids: true,
      return_tokens_as_token_ids: true,
      stream: false,
    });
  });

  test('a streamed one, too [train/chat]', async () => {
    const { text, tokens, asked } = await ask(streamed, { dialect, stream: true });
    const { message, whole, finish } = readReply(dialect, true, text);
    expect({ content: message?.content, whole, finish }).toEqual({
      content: '3 + 4 = 7.',
      whole: true,
      finish: 'stop',
    });
    const told = await tokens;
    expect([...(told?.completionIds ?? [])]).toEqual([35, 1232, 216, 36, 446, 216, 39, 30, 2]);
    expect(told?.promptIds).toHaveLength(38);
    expect(asked).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

const call = (name: string, given: string): object => ({
  id: 'chat',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: given } }],
      },
      token_ids: [5, 2],
      logprobs: {
        content: [
          { token: 'token_id:5', logprob: -1 },
          { token: 'token_id:2', logprob: -0.5 },
        ],
      },
    },
  ],
  prompt_token_ids: [1, 2, 3],
});
const patch: ToolSpec = { name: 'apply_patch', kind: 'custom', description: 'patches' };

test('a tool that takes free text is a function to vLLM [train/chat]', async () => {
  const body = call('apply_patch', '{"input": "*** Begin"}');
  const { text, asked } = await ask({ body }, { dialect: responses, tools: [patch] });
  expect(readReply(responses, false, text).message?.toolCalls).toMatchObject([
    { kind: 'custom', name: 'apply_patch', arguments: '*** Begin' },
  ]);
  expect(asked['tools']).toMatchObject([{ type: 'function', function: { name: 'apply_patch' } }]);
});

test('a call that does not fit its tool stays text [train/chat]', async () => {
  const body = call('apply_patch', '{"patch": 1}');
  const { text } = await ask({ body }, { dialect: responses, tools: [patch] });
  const { message } = readReply(responses, false, text);
  expect(message).toMatchObject({ content: '{"patch": 1}' });
  expect(message?.toolCalls).toBeUndefined();
});

test('a failure in a stream is named [train/chat]', async () => {
  const body = `data: ${JSON.stringify({ error: { message: 'engine is dead', code: 500 } })}\n\n`;
  const { error } = await ask({ body }, { stream: true });
  expect(error?.message).toContain('engine is dead');
});

test('no sampler is left to the generation_config.json of the model [train/engine-request]', async () => {
  const silent = { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0 };
  const { asked } = await ask(plain);
  expect(asked).toMatchObject({ ...silent, temperature: 1, repetition_penalty: 1 });
});

test('raw logprobs under a temperature are refused before vLLM is asked [train/untold-logprobs]', async () => {
  const { error, asked } = await ask(plain, { extra: { temperature: 0.5 } });
  expect(error).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('raw') as string,
  });
  expect(asked).toEqual({});
});

test('an agent hears which stop text ended a reply [train/stop-words]', async () => {
  const answer = plain.body as { readonly choices: readonly object[] };
  const [choice] = answer.choices;
  const body = { ...answer, choices: [{ ...choice, stop_reason: 'END' }] };
  const { text } = await ask({ ...plain, body }, { dialect: messages });
  expect(JSON.parse(text)).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
});

test.each([
  ['freely', {}],
  ['by force', { toolChoice: 'required', stop: [''], maxOutputTokens: 0 }],
] as const)(
  'tokens of what is sampled %s are counted by vLLM [train/side-requests]',
  async (_how, more) => {
    const { client, asked } = await chatServer({ answer: { body: { count: 38 } } });
    const free = callOf([hi]);
    const counted = { ...free, settings: { ...free.settings, ...more } };
    const reply = await client.send(exchangeOf(messages, counted, 'count-tokens'), signal);
    const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
    expect(JSON.parse(text)).toEqual({ input_tokens: 38 });
    expect(asked[0]).toMatchObject({ add_generation_prompt: true, model: 'policy' });
  },
);

test('several servers are refused [train/chat]', async () => {
  const address = { baseUrl: 'http://127.0.0.1:9', replicas: ['http://127.0.0.1:10'] };
  const named = { engine: 'vllm-chat', model: 'm', renderer: null, tokenizer: null } as const;
  const opened = openTrainClient({ ...address, ...named, chat: chatCompletions });
  await expect(opened).rejects.toMatchObject({ code: 'config/invalid' });
});
