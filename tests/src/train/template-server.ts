import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@vf/core';
import type { Tokenizer } from '@vf/renderers';
import { byteTokenizer } from '@vf/testkit';
import { onTestFinished } from 'vitest';

/** A server that has a chat template, and no samples. */
export interface TemplateServer {
  readonly url: string;
  /** Bodies of the calls that were to tell of the template. */
  readonly asked: Readonly<Record<string, unknown>>[];
}

export interface TemplateServerOptions {
  readonly tokenizer?: Tokenizer;
  /** What `/props` shows. */
  readonly source?: string;
  /** What it answers where it is asked to write a conversation; default: what was asked for. */
  readonly answer?: { readonly status: number; readonly body: unknown };
  /** What its own vocabulary calls a token. */
  readonly idOf?: (id: number) => number;
  /** Nothing is answered before so many questions have come. Default: each is. */
  readonly holdUntil?: number;
}

/** Speaks as vLLM, SGLang and llama.cpp do, whichever is asked for. */
export async function templateServer(
  write: (messages: readonly Message[]) => string,
  {
    tokenizer = byteTokenizer,
    source,
    answer,
    idOf = (id) => id,
    holdUntil = 0,
  }: TemplateServerOptions = {},
): Promise<TemplateServer> {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const tell = (path: string, body: Readonly<Record<string, unknown>>) => {
    if (path === '/props') return { status: 200, body: { chat_template: source } };
    const isTemplated = path === '/apply-template' || body['messages'] !== undefined;
    if (!isTemplated && path !== '/tokenize') return { status: 400, body: { error: 'no prompt' } };
    if (isTemplated) asked.push(body);
    if (isTemplated && answer !== undefined) return answer;
    const text = isTemplated
      ? write(body['messages'] as readonly Message[])
      : String(body['content'] ?? body['prompt']);
    if (path === '/apply-template') return { status: 200, body: { prompt: text } };
    return { status: 200, body: { tokens: idsOf(text, tokenizer).map(idOf) } };
  };
  const whole = Promise.withResolvers<void>();
  let count = 0;
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then(async (chunks) => {
      count++;
      if (count >= holdUntil) whole.resolve();
      await whole.promise;
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
      const told = tell(request.url ?? '', body);
      response.writeHead(told.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(told.body));
    });
  });
  return { url: await listening(server), asked };
}

/** A llama.cpp that writes this prompt whatever is said, and passes everything else on. */
export async function templateBefore(url: string, prompt: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request));
      const { method = 'GET', url: path = '' } = request;
      const answer =
        path === '/apply-template'
          ? Response.json({ prompt })
          : await fetch(url + path, { method, ...(method === 'GET' ? {} : { body }) });
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
      });
      response.end(await answer.text());
    })();
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The byte tokenizer with other control tokens. */
export function bytesWith(names: readonly string[]): Tokenizer {
  const controls = new Map(names.map((name, at) => [name, 256 + at]));
  const bytes = (id: number): Uint8Array =>
    id < 256 ? Uint8Array.of(id) : Buffer.from(names[id - 256] ?? '');
  return {
    controls,
    size: 256 + names.length,
    encode: byteTokenizer.encode,
    bytes,
    join: (ids, from, to) =>
      Buffer.concat(Array.from({ length: to - from }, (_, at) => bytes(ids[from + at] ?? -1))),
    byteLength: (id) => bytes(id).length,
  };
}

/** The ids of a text in which control tokens are spelt. */
function idsOf(text: string, { controls, encode }: Tokenizer): number[] {
  const [name = '', ...more] = [...controls.keys()].filter((each) => text.includes(each));
  if (name === '') return Array.from(encode(text));
  const id = controls.get(name) ?? -1;
  const rest = {
    ...byteTokenizer,
    controls: new Map(more.map((each) => [each, controls.get(each) ?? -1])),
  };
  return text.split(name).flatMap((part, at) => [...(at > 0 ? [id] : []), ...idsOf(part, rest)]);
}
