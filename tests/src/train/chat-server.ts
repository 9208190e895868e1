import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, ToolSpec } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import { openTrainClient } from '@vf/train';
import { onTestFinished } from 'vitest';
import { callOf, exchangeOf } from './exchange.ts';

export interface Answer {
  readonly status?: number;
  /** Text: events. */
  readonly body: unknown;
}

/** What vLLM 0.32 answered. */
export function recorded(name: string): Answer {
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

interface ChatServer {
  /** To what samples, or counts. */
  readonly answer: Answer;
  /** To what asks for its models. */
  readonly models?: Answer;
  /** To a bias on an id that no vocabulary has. */
  readonly biased?: Answer;
  /** Folder that the client is told. */
  readonly tokenizer?: string | null;
}

const { signal } = new AbortController();

/** A vLLM that gives the same answers always, and a client of it. */
export async function chatServer({
  answer,
  models = recorded('models'),
  biased = recorded('chat out of vocabulary'),
  tokenizer = null,
}: ChatServer) {
  const asked: Record<string, unknown>[] = [];
  const asides: string[] = [];
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then((chunks) => {
      const text = Buffer.concat(chunks).toString();
      const given = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const isAside = request.url === '/v1/models' || 'logit_bias' in given;
      if (isAside) asides.push(request.url === '/v1/models' ? 'models' : 'vocabulary');
      else asked.push(given);
      const { status = 200, body } =
        request.url === '/v1/models' ? models : isAside ? biased : answer;
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
    tokenizer,
    chat: chatCompletions,
  });
  onTestFinished(() => client.close());
  return { client, asked, asides };
}

const hi: Message = { role: 'user', content: 'What is 3 + 4?' };

/** One call of a client: its reply, and the bytes of that. */
export async function send(
  { client }: Pick<Awaited<ReturnType<typeof chatServer>>, 'client'>,
  { dialect = chatCompletions, stream = false, tools = [] as readonly ToolSpec[], extra = {} } = {},
) {
  const call = callOf([hi], stream, tools);
  const settings = { ...call.settings, ...extra };
  const reply = await client.send(exchangeOf(dialect, { ...call, settings }), signal);
  reply.tokens?.catch(() => undefined);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  return { ...reply, text };
}

/** One call of a server that answers so, and what it was asked. */
export async function ask(answer: Answer, options: Parameters<typeof send>[1] = {}) {
  const server = await chatServer({ answer });
  return { ...(await send(server, options)), asked: server.asked[0] ?? {} };
}
