import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { replyOf, tokenizer } from './reply.ts';

/**
 * Answers at once, an event a token when streamed: text on the chat endpoint, ids with their logprobs on vLLM's token
 * endpoint. In a process of its own; tells its address to the one that made it.
 */
const { ids, text } = replyOf(Number(process.argv[2]));
const sse = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const done = Buffer.from('data: [DONE]\n\n');
const usage = { prompt_tokens: 100, completion_tokens: ids.length, total_tokens: 100 + ids.length };

const told = ids.map((id) => ({
  token_id: id,
  logprob: -0.2503,
  rank: 1,
  top_logprobs: [{ token_id: id, logprob: -0.2503, rank: 1 }],
}));
const weights = [{ version: 'step-1', start: 0, end: ids.length }];
const generated = (from: number, to: number, finish: string | null): object => ({
  request_id: 'generate-1',
  usage: null,
  choices: [
    {
      index: 0,
      finish_reason: finish,
      stop_reason: null,
      token_ids: ids.slice(from, to),
      weight_versions: finish === null ? null : weights,
      logprobs: { content: told.slice(from, to) },
    },
  ],
});
const chunk = (delta: object, finish: string | null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const plain = {
  generate: Buffer.from(JSON.stringify({ ...generated(0, ids.length, 'stop'), usage })),
  chat: Buffer.from(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage,
    }),
  ),
};
const streamed = {
  generate: [
    ...ids.map((_, at) => sse(generated(at, at + 1, at === ids.length - 1 ? 'stop' : null))),
    sse({ choices: [], usage }),
    done,
  ],
  chat: [
    ...ids
      .slice(0, -1)
      .map((id) => sse(chunk({ content: Buffer.from(tokenizer.bytes(id)).toString() }, null))),
    sse(chunk({}, 'stop')),
    sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage }),
    done,
  ],
};

function stream(response: ServerResponse, events: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let next = 0;
  const write = (): void => {
    const event = events[next++];
    if (event === undefined) return void response.end();
    response.write(event);
    setImmediate(write);
  };
  write();
}

const models = Buffer.from(JSON.stringify({ data: [{ id: 'm', max_model_len: 1_000_000 }] }));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (part: Buffer) => chunks.push(part));
  request.on('end', () => {
    const kind = request.url?.startsWith('/inference') === true ? 'generate' : 'chat';
    const isStreamed = chunks.some((part) => part.includes('"stream":true'));
    if (request.method !== 'GET' && isStreamed) return stream(response, streamed[kind]);
    const body = request.method === 'GET' ? models : plain[kind];
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit(0));
