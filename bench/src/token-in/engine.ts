import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { repliesOf, tellingLength } from './engine-replies.ts';

/**
 * Answers at once, an event a token when streamed: on the chat endpoint text, with ids and logprobs where they are asked
 * for; ids with their logprobs on vLLM's token endpoint. In a process of its own; tells its address to the one that made
 * it.
 */
const { generate, chat, told } = repliesOf(Number(process.argv[2]));

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

function promptLength(asks: Buffer): number {
  const { token_ids: ids } = JSON.parse(asks.toString()) as { token_ids: readonly number[] };
  return ids.length;
}

const models = Buffer.from(JSON.stringify({ data: [{ id: 'm', max_model_len: 1_000_000 }] }));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (part: Buffer) => chunks.push(part));
  request.on('end', () => {
    const asks = Buffer.concat(chunks);
    const isGenerate = request.url?.startsWith('/inference') === true;
    const replies = isGenerate ? generate : asks.includes('"logprobs":true') ? told : chat;
    const prompt = isGenerate ? promptLength(asks) : 100;
    if (request.method !== 'GET' && asks.includes('"stream":true')) {
      return stream(
        response,
        replies.events.map((event, at) =>
          at === replies.events.length - 2 ? tellingLength(event, prompt) : event,
        ),
      );
    }
    const body = request.method === 'GET' ? models : tellingLength(replies.plain, prompt);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit(0));
