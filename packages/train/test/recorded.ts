import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One exchange with a real engine, recorded as it was. */
export interface Recorded {
  readonly case: string;
  readonly response: { readonly status: number; readonly body: unknown };
}

/** `engine`: the version that was recorded stands in each line. */
export function recorded(engine: 'llama-cpp' | 'vllm' | 'sglang', name: string): Recorded {
  const text = readFileSync(new URL(`fixtures/${engine}.jsonl`, import.meta.url), 'utf8');
  const cases = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  const found = cases.find((entry) => entry.case === name);
  if (found === undefined) throw new Error(`no case ${name} of ${engine}`);
  return found;
}

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A server that gives one answer to everything, or none, or closes the connection. A body that is text is one of events. */
export async function answering(answer: Recorded['response'] | 'hang up' | 'hang') {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = text === '' ? null : (JSON.parse(text) as Received['body']);
      received.push({ path: request.url ?? '', headers: request.headers, body });
      if (answer === 'hang') return;
      if (answer === 'hang up') {
        request.socket.destroy();
        return;
      }
      const isStream = typeof answer.body === 'string';
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(answer.status, { 'content-type': type });
      response.end(isStream ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
