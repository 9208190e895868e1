import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallError, ReadReply } from '@vf/core';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import chat from '../src/index.ts';
import { write } from './wire.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array | string;
}

let answer: Answer;
let requests = 0;
let server: Server;
let client: OpenAI;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    request.resume();
    response.writeHead(answer.status, [...answer.headers]);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'k', maxRetries: 3 });
});

afterAll(() => server.close());

function serve(given: Answer): void {
  answer = given;
  requests = 0;
}

const replies: readonly ReadReply[] = [
  [{ role: 'assistant', content: 'héllo\n\ndata: x' } as const, 'stop'] as const,
  [
    {
      role: 'assistant',
      content: null,
      reasoning: 'why',
      toolCalls: [
        { id: 'call_1', name: 'f', arguments: '{ "a": [1, 2] }' },
        { id: 'call_2', name: 'g', arguments: '' },
      ],
    } as const,
    'tool_calls',
  ] as const,
  [{ role: 'assistant', content: 'cut' } as const, 'length'] as const,
].map(([message, finish]) => ({
  message,
  finish,
  rawFinish: finish,
  usage: { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 1 },
  model: 'm',
  id: 'chatcmpl-9',
  error: null,
  whole: true,
}));

const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };

/** What the SDK says of a reply, as a reply. */
function said({ id, model, choices, usage }: OpenAI.ChatCompletion): unknown {
  const [choice] = choices;
  const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function');
  return {
    id,
    model,
    content: choice?.message.content,
    calls: calls.map(({ id: callId, function: called }) => [callId, called.name, called.arguments]),
    finish: choice?.finish_reason,
    tokens: [usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens],
  };
}

function expected({ id, model, message, rawFinish }: ReadReply): unknown {
  const calls = message?.toolCalls ?? [];
  return {
    id,
    model,
    content: message?.content,
    calls: calls.map(({ id: callId, name, arguments: text }) => [callId, name, text]),
    finish: rawFinish,
    tokens: [10, 3, 13],
  };
}

describe('the official SDK', () => {
  it.each(replies)('[chat/sdk] reads a plain reply that ends with $finish', async (reply) => {
    serve({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: write(reply, false),
    });
    expect(said(await client.chat.completions.create(ask))).toEqual(expected(reply));
  });

  it.each(replies)('[chat/sdk] reads a stream that ends with $finish', async (reply) => {
    const alive = new TextDecoder().decode(chat.keepAlive());
    const body = write(reply, true, { includeUsage: true }).replaceAll('\n\n', `\n\n${alive}`);
    serve({ status: 200, headers: ['content-type', 'text/event-stream'], body });
    const stream = client.chat.completions.stream({
      ...ask,
      stream_options: { include_usage: true },
    });
    expect(said(await stream.finalChatCompletion())).toEqual(expected(reply));
  });

  const errors: readonly (readonly [CallError, new (...args: never[]) => Error])[] = [
    [{ status: 400, code: 'refused', message: 'over' }, OpenAI.BadRequestError],
    [{ status: 400, code: 'context_length', message: 'long' }, OpenAI.BadRequestError],
    [{ status: 401, code: 'auth', message: 'key' }, OpenAI.AuthenticationError],
    [{ status: 404, code: 'not_found', message: 'model' }, OpenAI.NotFoundError],
    [{ status: 429, code: 'rate_limit', message: 'slow' }, OpenAI.RateLimitError],
    [{ status: 503, code: 'overloaded', message: 'busy' }, OpenAI.InternalServerError],
  ];

  it.each(errors)('[chat/sdk-errors] raises for %j after one request', async (error, type) => {
    const { head, body } = chat.error(error);
    serve({ ...head, body });
    const call = client.chat.completions.create({ ...ask, stream: true });
    await expect(call).rejects.toThrow(type);
    await expect(call).rejects.toMatchObject({ status: error.status });
    expect(requests).toBe(1);
  });

  it('[chat/sdk-errors] raises in mid-stream', async () => {
    const event = chat.errorEvent({ status: 429, code: 'rate_limit', message: 'slow down' });
    const start = write({ ...replies[0], whole: false } as ReadReply, true);
    serve({
      status: 200,
      headers: ['content-type', 'text/event-stream'],
      body: start + new TextDecoder().decode(event),
    });
    const stream = await client.chat.completions.create({ ...ask, stream: true });
    const read = async (): Promise<string> => {
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    };
    await expect(read()).rejects.toThrow('slow down');
  });

  it('[chat/models] lists the models', async () => {
    serve({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: chat.models(['a', 'b']),
    });
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
