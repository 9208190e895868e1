import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { replyOf, streamOf, writerOf } from './helpers.ts';

const reply = replyOf(
  {
    role: 'assistant',
    content: 'I look – é 😀',
    reasoning: 'let me think',
    toolCalls: [{ id: 'c0', name: 'f', arguments: '{"a":1}' }],
  },
  { finish: 'tool_calls' },
);

/** Answers with what this dialect writes: streamed, plain, a refusal, or a stream that fails. */
function serve(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls++;
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        model?: string;
        stream?: boolean;
      };
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        return response.end(responses.models(['m']));
      }
      if (body.model === 'refuse') {
        const { head, body: refusal } = responses.error({
          status: 400,
          code: 'refused',
          message: 'the rollout is over',
        });
        return response.writeHead(head.status, [...head.headers]).end(refusal);
      }
      response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json');
      if (!body.stream) return response.end(writerOf(false).end(reply));
      response.write(responses.keepAlive());
      const failure = { status: 429, code: 'rate_limit', message: 'slow down' } as const;
      return response.end(
        body.model === 'fail' ? responses.errorEvent(failure) : streamOf([], reply),
      );
    });
  });
}

let calls = 0;
const server = serve();
let client: OpenAI;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new OpenAI({ apiKey: 'k', baseURL: `http://127.0.0.1:${port}/v1` });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('the official SDK', () => {
  it('[responses/sdk-plain] reads a plain reply', async () => {
    const got = await client.responses.create({ model: 'm', input: 'hi' });
    expect(got.output_text).toBe('I look – é 😀');
    expect(got.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(got.usage?.total_tokens).toBe(17);
  });

  it('[responses/sdk-stream] puts a streamed reply together', async () => {
    const stream = client.responses.stream({ model: 'm', input: 'hi' });
    const texts: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => texts.push(delta));
    const final = await stream.finalResponse();
    expect(texts.join('')).toBe('I look – é 😀');
    expect(final.status).toBe('completed');
    expect(final.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'let me think' }] },
      { type: 'message', content: [{ text: 'I look – é 😀' }] },
      { type: 'function_call', call_id: 'c0', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  it('[responses/sdk-refusal] gives up after one refusal', async () => {
    const before = calls;
    const asked = client.responses.create({ model: 'refuse', input: 'hi' });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('the rollout is over') as string,
    });
    expect(calls - before).toBe(1);
  });

  it('[responses/sdk-failed] sees a stream fail', async () => {
    const events = await client.responses.create({ model: 'fail', input: 'hi', stream: true });
    const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of events) seen.push(event);
    expect(seen).toMatchObject([
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded' } } },
    ]);
  });

  it('[responses/sdk-models] lists the models', async () => {
    const page = await client.models.list();
    expect(page.data.map(({ id }) => id)).toEqual(['m']);
  });
});
