import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface RpcRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A tool server of one tool, `lookup {word}`, over streamable HTTP behind a bearer. */
export interface LookupServer extends AsyncDisposable {
  readonly url: string;
  readonly bearer: string;
  /** Words that were looked up. */
  readonly words: readonly unknown[];
  close(): void;
}

const tool = {
  name: 'lookup',
  description: 'Looks a word up',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
  },
};

/** Starts the tool server on the loopback; it answers with `meaning of <word>`. */
export async function startLookupServer(): Promise<LookupServer> {
  const words: unknown[] = [];
  const bearer = `mcp-${crypto.randomUUID()}`;
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    bearer,
    words,
    close,
    [Symbol.asyncDispose]: async () => close(),
  };

  function close(): void {
    server.close().closeAllConnections();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${bearer}`) return end(response, 401);
    if (request.method !== 'POST') return end(response, 405);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest;
    if (call.id === undefined) return end(response, 202);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer(call) }));
  }

  function answer({ method, params = {} }: RpcRequest): object {
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: params['protocolVersion'],
            capabilities: { tools: {} },
            serverInfo: { name: 'lookup', version: '1.0.0' },
          },
        };
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return { result: { tools: [tool] } };
      case 'tools/call': {
        const { word } = params['arguments'] as { word: string };
        words.push(word);
        return { result: { content: [{ type: 'text', text: `meaning of ${word}` }] } };
      }
      default:
        return { error: { code: -32_601, message: `no method ${method}` } };
    }
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
