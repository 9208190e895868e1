import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const words = Array.from({ length: 61 }, (_, i) => `word${i} of the reply `);
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const usage = { prompt_tokens: 100, completion_tokens: 64, total_tokens: 164 };
const events = [
  ...words.map((content) => chunk({ content })),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
].map((event) => Buffer.from(event));
const whole = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: words.join('') },
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);

/** What the model says in each turn, for the next prompt. */
export const said = words.join('');

/** A provider that answers at once: 64 events, each in a tick of its own, or one plain reply. */
export async function startUpstream(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const isStreamed = request.url === '/v1/chat/completions?stream';
    request.resume().on('end', () => {
      if (!isStreamed) {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': whole.length,
        });
        response.end(whole);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let next = 0;
      const write = (): void => {
        const event = events[next++];
        if (event === undefined) return void response.end();
        response.write(event);
        setImmediate(write);
      };
      write();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
}
