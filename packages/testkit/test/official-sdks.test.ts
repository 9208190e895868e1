import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import {
  callTool,
  cut,
  deliver,
  fail,
  failInStream,
  say,
  startScriptedModel,
  think,
  usage,
} from '../src/index.ts';
import type { Reply, ScriptedModel } from '../src/index.ts';

const odd = '{ "b":1,\n "a":"\\u00e9🙂" }';
const reply: Reply = [
  think('hm', { signature: 'sig==' }),
  say('Grüße 🙂'),
  callTool('bash', odd, { id: 'call_a' }),
  callTool('bash', { a: 2 }, { id: 'call_b' }),
  usage({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 1 }),
  deliver({ chunkBytes: 3 }),
];
const messages = [{ role: 'user' as const, content: 'hello' }];

let model: ScriptedModel;
afterEach(() => model.close());

async function openai(...replies: Reply[]): Promise<OpenAI> {
  model = await startScriptedModel({ script: replies });
  return new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'test-key', maxRetries: 0 });
}

async function anthropic(...replies: Reply[]): Promise<Anthropic> {
  model = await startScriptedModel({ script: replies });
  return new Anthropic({ baseURL: model.url, apiKey: 'test-key', maxRetries: 0 });
}

test('the openai SDK reads a chat reply, streamed and plain', async () => {
  const client = await openai(reply, reply);
  const request = { model: 'any', messages };
  const plain = await client.chat.completions.create(request);
  const streamed = await client.chat.completions
    .stream({ ...request, stream_options: { include_usage: true } })
    .finalChatCompletion();
  for (const { choices, usage: counted } of [plain, streamed]) {
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Grüße 🙂',
        tool_calls: [
          { id: 'call_a', function: { name: 'bash', arguments: odd } },
          { id: 'call_b', function: { arguments: '{"a":2}' } },
        ],
      },
    });
    expect(counted).toMatchObject({
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    });
  }
});

test('the openai SDK reads a response, streamed and plain', async () => {
  const client = await openai(reply, reply);
  const plain = await client.responses.create({ model: 'any', input: 'hello' });
  const streamed = await client.responses.stream({ model: 'any', input: 'hello' }).finalResponse();
  for (const response of [plain, streamed]) {
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm' }], encrypted_content: 'sig==' },
      { type: 'message', content: [{ text: 'Grüße 🙂' }] },
      { type: 'function_call', call_id: 'call_a', arguments: odd },
      { type: 'function_call', call_id: 'call_b' },
    ]);
    expect(response).toMatchObject({ status: 'completed', usage: { total_tokens: 15 } });
  }
});

test('the anthropic SDK reads a message, streamed and plain', async () => {
  const client = await anthropic(reply, reply);
  const request = { model: 'any', max_tokens: 100, messages };
  const plain = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();
  for (const message of [plain, streamed]) {
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: 'sig==' },
      { type: 'text', text: 'Grüße 🙂' },
      { type: 'tool_use', id: 'call_a', input: { b: 1, a: 'é🙂' } },
      { type: 'tool_use', id: 'call_b', input: { a: 2 } },
    ]);
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 5 },
    });
  }
});

test('the SDKs see failures for what they are', async () => {
  const client = await openai(
    fail(429, { message: 'slow down' }),
    [say('a'), failInStream('server_error')],
    [say('a'), cut(1)],
  );
  const ask = (): Promise<unknown> =>
    client.chat.completions.stream({ model: 'any', messages }).finalChatCompletion();
  await expect(ask()).rejects.toMatchObject({ status: 429, message: '429 slow down' });
  await expect(ask()).rejects.toMatchObject({ code: 'server_error' });
  await expect(ask()).rejects.toBeInstanceOf(Error);
  await model.close();

  const other = await anthropic(fail(529), [say('a'), failInStream('overloaded_error')]);
  const askOther = (): Promise<unknown> =>
    other.messages.stream({ model: 'any', max_tokens: 9, messages }).finalMessage();
  await expect(askOther()).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
  await expect(askOther()).rejects.toMatchObject({ type: 'overloaded_error' });
});

test('the SDKs list the model and count tokens', async () => {
  const client = await openai();
  expect((await client.models.list()).data).toMatchObject([{ id: 'scripted' }]);
  await model.close();
  const other = await anthropic();
  expect((await other.models.list()).data).toMatchObject([{ id: 'scripted', type: 'model' }]);
  const count = await other.messages.countTokens({ model: 'any', messages });
  expect(count.input_tokens).toBeGreaterThan(0);
});
