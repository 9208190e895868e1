import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Anthropic } from '@anthropic-ai/sdk';
import type { CallError, ReadReply } from '@vf/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';
import { write } from './wire.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array | string;
}

let answer: Answer;
let requests = 0;
let server: Server;
let client: Anthropic;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    request.resume();
    response.writeHead(answer.status, [...answer.headers]);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: 'k', maxRetries: 3 });
});

afterAll(() => server.close());

function serve(given: Answer): void {
  answer = given;
  requests = 0;
}

const replies: readonly ReadReply[] = [
  [{ role: 'assistant', content: 'héllo\n\ndata: x' } as const, 'stop', 'end_turn'] as const,
  [
    {
      role: 'assistant',
      content: 'text',
      reasoning: 'why',
      toolCalls: [
        { id: 'toolu_1', name: 'f', arguments: '{ "a": [1, 2] }' },
        { id: 'toolu_2', name: 'g', arguments: '' },
      ],
      providerState: [
        { type: 'thinking', thinking: 'why', signature: 'S' },
        { type: 'redacted_thinking', data: 'R' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      ],
    } as const,
    'tool_calls',
    'tool_use',
  ] as const,
  [{ role: 'assistant', content: 'cut' } as const, 'length', 'max_tokens'] as const,
].map(([message, finish, rawFinish]) => ({
  message,
  finish,
  rawFinish,
  usage: { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4 },
  model: 'm',
  id: 'msg_9',
  error: null,
  whole: true,
}));

const ask = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] };

function said({ id, model, content, stop_reason: stop, usage }: Anthropic.Message): unknown {
  return {
    id,
    model,
    content,
    stop,
    usage: [usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens],
  };
}

function expected({ id, model, message, rawFinish }: ReadReply): unknown {
  const calls = message?.toolCalls ?? [];
  return {
    id,
    model,
    content: [
      ...(message?.providerState ?? []),
      { type: 'text', text: message?.content },
      ...calls.map((call) => ({
        type: 'tool_use',
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments || '{}') as unknown,
      })),
    ],
    stop: rawFinish,
    usage: [6, 4, 3],
  };
}

describe('the official SDK', () => {
  it.each(replies)(
    '[messages/sdk] reads a plain reply that ends with $rawFinish',
    async (reply) => {
      serve({
        status: 200,
        headers: ['content-type', 'application/json'],
        body: write(reply, false),
      });
      expect(said(await client.messages.create(ask))).toEqual(expected(reply));
    },
  );

  it.each(replies)('[messages/sdk] reads a stream that ends with $rawFinish', async (reply) => {
    const alive = new TextDecoder().decode(dialect.keepAlive());
    const body = write(reply, true).replaceAll('\n\n', `\n\n${alive}`);
    serve({ status: 200, headers: ['content-type', 'text/event-stream'], body });
    expect(said(await client.messages.stream(ask).finalMessage())).toEqual(expected(reply));
  });

  const errors: readonly (readonly [CallError, new (...args: never[]) => Error])[] = [
    [{ status: 400, code: 'refused', message: 'over' }, Anthropic.BadRequestError],
    [{ status: 400, code: 'context_length', message: 'long' }, Anthropic.BadRequestError],
    [{ status: 401, code: 'auth', message: 'key' }, Anthropic.AuthenticationError],
    [{ status: 404, code: 'not_found', message: 'model' }, Anthropic.NotFoundError],
    [{ status: 429, code: 'rate_limit', message: 'slow' }, Anthropic.RateLimitError],
    [{ status: 529, code: 'overloaded', message: 'busy' }, Anthropic.InternalServerError],
  ];

  it.each(errors)('[messages/sdk-errors] raises for %j after one request', async (error, type) => {
    const { head, body } = dialect.error(error);
    serve({ ...head, body });
    const call = client.messages.create(ask);
    await expect(call).rejects.toThrow(type);
    await expect(call).rejects.toMatchObject({ status: error.status });
    expect(requests).toBe(1);
  });

  it('[messages/sdk-errors] raises in mid-stream', async () => {
    const event = new TextDecoder().decode(
      dialect.errorEvent({ status: 529, code: 'overloaded', message: 'too busy' }),
    );
    const start = write({ ...replies[0], whole: false } as ReadReply, true);
    serve({ status: 200, headers: ['content-type', 'text/event-stream'], body: start + event });
    await expect(client.messages.stream(ask).finalMessage()).rejects.toThrow('too busy');
  });

  it('[messages/models] lists the models', async () => {
    serve({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: dialect.models(['a', 'b']),
    });
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
