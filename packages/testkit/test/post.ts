import type { WireDialect } from '../src/index.ts';

const paths: Record<WireDialect, string> = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
};

/** The three dialects with a request that asks for the same. */
export const dialects = Object.keys(paths) as WireDialect[];

/** Asks a scripted model one thing; a streamed reply unless told otherwise. */
export function post(
  url: string,
  dialect: WireDialect,
  fields: Readonly<Record<string, unknown>> = {},
  init: RequestInit = {},
): Promise<Response> {
  const messages = [{ role: 'user', content: 'hello' }];
  const body = {
    model: 'any',
    stream: true,
    ...(dialect === 'responses' ? { input: messages } : { messages }),
    ...(dialect === 'chat-completions' ? { stream_options: { include_usage: true } } : {}),
    ...fields,
  };
  return fetch(url + paths[dialect], {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    ...init,
  });
}

/** The `data` of each event, parsed; `[DONE]` is left out. */
export function eventsOf(stream: string): Record<string, unknown>[] {
  return stream
    .split(/(?:\r\n|\n|\r){2}/)
    .flatMap((block) => block.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice('data: '.length))
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Record<string, unknown>);
}
