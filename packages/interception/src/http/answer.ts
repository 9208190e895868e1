import type { ServerResponse } from 'node:http';
import type { Head } from '@vf/core';
import { withoutHeader } from './raw-headers.ts';

/** Sends a whole answer; its length is known. */
export function answer(response: ServerResponse, head: Head, body: readonly Uint8Array[]): void {
  if (response.headersSent || response.destroyed) return;
  let length = 0;
  for (const chunk of body) length += chunk.length;
  const headers = withoutHeader(head.headers, 'content-length');
  headers.push('content-length', String(length));
  if (head.statusText === undefined) response.writeHead(head.status, headers);
  else response.writeHead(head.status, head.statusText, headers);
  if (body.length <= 1) response.end(body[0]);
  else response.end(Buffer.concat(body, length));
}

/** An answer of ours that belongs to no dialect. */
export function answerJson(response: ServerResponse, status: number, message: string): void {
  const body = Buffer.from(JSON.stringify({ error: { message, type: 'vf_error' } }));
  answer(response, { status, headers: ['content-type', 'application/json'] }, [body]);
}
