import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the provider. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answerer = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface ScriptedProvider {
  readonly url: string;
  readonly received: Received[];
  /** Answers the next calls, in order; the last one answers all further ones. */
  script(...answers: Answerer[]): void;
  close(): Promise<void>;
}

/** A local HTTP server that answers call after call from a script. */
export async function scriptedProvider(): Promise<ScriptedProvider> {
  const received: Received[] = [];
  let answers: Answerer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(call);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      void answer?.(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    script(...next) {
      answers = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A plain reply. */
export function plain(piece: object, status = 200, headers: Record<string, string> = {}): Answerer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(piece));
  };
}

/** A stream's text as given, in one write. */
export function streamed(text: string): Answerer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  };
}

/** Events of a whole reply that says `text` word by word. */
export function eventsOf(text: string, usage = { inputTokens: 10, outputTokens: 5 }): string {
  const words = text
    .split(/(?<= )/)
    .map((word) => ({ id: 'r_1', model: 'real-model', text: word }));
  return (
    [...words, { finish: 'stop' }, { usage }]
      .map((piece) => `data: ${JSON.stringify(piece)}\n\n`)
      .join('') + 'data: [DONE]\n\n'
  );
}

export const done = 'data: [DONE]\n\n';
