import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dialect, Message, ToolSpec } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { openTrainClient } from '@vf/train';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callOf, exchangeOf, readReply } from './exchange.ts';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** What vLLM 0.32 answered. */
function recorded(name: string): Answer {
  const lines = readFileSync(
    new URL('../../fixtures/engines/vllm-chat.jsonl', import.meta.url),
    'utf8',
  );
  const cases = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; response: Answer });
  const found = cases.find((entry) => entry.case === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found.response;
}

const plain = recorded('chat return_token_ids');
const streamed = recorded('chat return_token_ids stream');
const { signal } = new AbortController();
const hi: Message = { role: 'user', content: 'What is 3 + 4?' };
const dialects: readonly Dialect[] = [chatCompletions, responses, messages];

/** A server that gives one answer to everything. */
async function answering({ status = 200, body }: Answer) {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then((chunks) => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      const isText = typeof body === 'string';
      response.writeHead(status, {
        'content-type': isText ? 'text/event-stream' : 'application/json',
      });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const client = await openTrainClient({
    engine: 'vllm-chat',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'policy',
    renderer: null,
    tokenizer: null,
    chat: chatCompletions,
  });
  onTestFinished(() => client.close());
  return { client, asked };
}

async function ask(
  answer: Answer,
  { dialect = chatCompletions, stream = false, tools = [] as readonly ToolSpec[], extra = {} } = {},
) {
  const { client, asked } = await answering(answer);
  const call = callOf([hi], stream, tools);
  const settings = { ...call.settings, ...extra };
  const reply = await client.send(exchangeOf(dialect, { ...call, settings }), signal);
  reply.tokens?.catch(() => undefined);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  return { ...reply, text, asked: asked[0] ?? {} };
}

describe.each(dialects)('$id', (dialect) => {
  test('a plain reply has the ids that vLLM told [train/chat]', async () => {
    const { text, tokens, asked } = await ask(plain, { dialect });
    expect(readReply(dialect, false, text)).toMatchObject({
      message: { role: 'assistant', content: '3 + 4 = 7' },
      finish: 'stop',
      whole: true,
    });
    const told = await tokens;
    expect([...(told?.completionIds ?? [])]).toEqual([35, 1232, 216, 36, 446, 216, 39, 2]);
    expect(told?.promptIds).toHaveLength(38);
    expect(told?.logprobs[0]).toBeCloseTo(-2.2786, 4);
    expect(told?.spans).toEqual([null]);
    expect(asked).toMatchObject({ logprobs: true, return_token_ids: true, stream: false });
  });

  test('a streamed one, too [train/chat]', async () => {
    const { text, tokens, asked } = await ask(streamed, { dialect, stream: true });
    const { message, whole, finish } = readReply(dialect, true, text);
    expect({ content: message?.content, whole, finish }).toEqual({
      content: '3 + 4',
      whole: true,
      finish: 'length',
    });
    const told = await tokens;
    expect([...(told?.completionIds ?? [])]).toEqual([35, 1232, 216, 36]);
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
      logprobs: { content: [{ logprob: -1 }, { logprob: -0.5 }] },
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

const bare = plain.body as { choices: [Record<string, unknown>] };
test.each([
  ['no ids', { ...bare, prompt_token_ids: null }, /return_token_ids/],
  ['no logprobs', { ...bare, choices: [{ ...bare.choices[0], logprobs: null }] }, /no logprobs/],
  ['no prompt', { ...bare, prompt_token_ids: [] }, /no ids of the prompt/],
  ['a prompt of text', { ...bare, prompt_token_ids: ['1', '2'] }, /-1 as an id of the prompt/],
  ['a part of an id', { ...bare, prompt_token_ids: [1.5] }, /1.5 as an id of the prompt/],
  ['an id too large', { ...bare, prompt_token_ids: [2 ** 33] }, /8589934592/],
  ['a prompt of other length', { ...bare, prompt_token_ids: [1, 2] }, /38 tokens where 2/],
  ['a reply of other length', { ...bare, usage: { prompt_tokens: 38, completion_tokens: 9 } }, /9/],
  [
    'other counts',
    { ...bare, choices: [{ ...bare.choices[0], token_ids: [1, 2] }] },
    /counted 8 tokens and gave 2/,
  ],
] as const)('an answer with %s is no sample [train/no-sample]', async (_, body, words) => {
  const { error } = await ask({ body });
  expect(error).toMatchObject({
    code: 'malformed',
    message: expect.stringMatching(words) as string,
  });
});

test('a reply that vLLM gave up is none, and may be asked for again [train/engine-errors]', async () => {
  const [choice] = bare.choices;
  const { error } = await ask({
    body: { ...bare, choices: [{ ...choice, finish_reason: 'abort' }] },
  });
  expect(error).toMatchObject({ code: 'overloaded' });
});

test('a failure in a stream is named [train/chat]', async () => {
  const body = `data: ${JSON.stringify({ error: { message: 'engine is dead', code: 500 } })}\n\n`;
  const { error } = await ask({ body }, { stream: true });
  expect(error?.message).toContain('engine is dead');
});

test('raw logprobs under a temperature are refused before vLLM is asked [train/untold-logprobs]', async () => {
  const { error, asked } = await ask(plain, { extra: { temperature: 0.5 } });
  expect(error).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('raw') as string,
  });
  expect(asked).toEqual({});
});

test('tokens are counted by vLLM [train/side-requests]', async () => {
  const { client, asked } = await answering({ body: { count: 38 } });
  const reply = await client.send(exchangeOf(messages, callOf([hi]), 'count-tokens'), signal);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  expect(JSON.parse(text)).toEqual({ input_tokens: 38 });
  expect(asked[0]).toMatchObject({ add_generation_prompt: true, model: 'policy' });
});

test('several servers are refused [train/chat]', async () => {
  const address = { baseUrl: 'http://127.0.0.1:9', replicas: ['http://127.0.0.1:10'] };
  const named = { engine: 'vllm-chat', model: 'm', renderer: null, tokenizer: null } as const;
  const opened = openTrainClient({ ...address, ...named, chat: chatCompletions });
  await expect(opened).rejects.toMatchObject({ code: 'config/invalid' });
});
