import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { FetchHandler } from '@vf/core';

/** Answers a node request with a fetch handler; the request's signal aborts when its sender goes away. */
export async function serveMount(
  handler: FetchHandler,
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  const reply = await handler(toRequest(request, url, abort.signal));
  response.writeHead(reply.status, [...reply.headers].flat());
  if (reply.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(Readable.fromWeb(reply.body as ReadableStream<Uint8Array>), response);
}

function toRequest(request: IncomingMessage, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '');
  }
  const method = request.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const body = Readable.toWeb(request) as globalThis.ReadableStream<Uint8Array>;
  return new Request(url, { method, headers, signal, body, duplex: 'half' });
}
