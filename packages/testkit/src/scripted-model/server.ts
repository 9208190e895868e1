import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ScriptedExchange } from './exchange.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { Script } from './script.ts';

export interface ScriptedModelOptions {
  readonly script: Script;
  /** The model that replies name and `/v1/models` lists. Default: `scripted`. */
  readonly model?: string;
  /** Requests without this key are refused with 401. Default: any key will do. */
  readonly key?: string;
  /** Keep requests in `requests`; default true. */
  readonly record?: boolean;
  /** Default: a free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Closes the server. */
  readonly signal?: AbortSignal;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** Base URL without `/v1`. */
  readonly url: string;
  readonly model: string;
  /** All requests, in order of arrival; probes and refused ones too. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that asked for a reply. */
  readonly turns: readonly RecordedRequest[];
  /** What scripts threw; such a call was answered with status 500. */
  readonly faults: readonly unknown[];
  /** Resolves when `count` requests for a reply have come. */
  received(count: number): Promise<void>;
  /** Cuts what is open and frees the port. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a model endpoint that answers by script: Chat Completions, Responses and Messages, streamed and plain,
 * `/v1/models`, token counts and probes, over real HTTP. It is an engine too: what llama.cpp's server answers to ids of
 * `byteTokenizer` in the form of qwen3.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  options.signal?.throwIfAborted();
  const exchange = new ScriptedExchange(options);
  const server = createServer((request, response) => void exchange.serve(request, response));
  const close = closer(server);
  // Agents keep sockets idle between turns, and a script may be silent for as long as it likes.
  Object.assign(server, { keepAliveTimeout: 120_000, headersTimeout: 0, requestTimeout: 0 });
  server.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const onAbort = (): void => void close();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  server.once('close', () => options.signal?.removeEventListener('abort', onAbort));
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    model: exchange.model,
    requests: exchange.requests,
    get turns() {
      return exchange.requests.filter((request) => request.route.kind === 'turn');
    },
    faults: exchange.faults,
    received: (count) => exchange.received(count),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function closer(server: Server): () => Promise<void> {
  let closed: Promise<void> | null = null;
  return () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closed;
  };
}
