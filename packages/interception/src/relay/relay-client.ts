import type { Client, Reply } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Dispatcher, Pool as PoolType } from 'undici';
import { joinPath } from './join-url.ts';
import { ProviderCall } from './provider-call.ts';
import { requestHeaders } from './relay-headers.ts';
import { requestBody } from './request-body.ts';
import { sendFailure } from './send-failure.ts';
import { Pool, proxyAgent } from './undici-parts.ts';

export interface RelayOptions {
  /** Of the provider, with or without `/v1`. */
  readonly baseUrl: string;
  /** Set as the dialect wants it; null sends no key. Never reaches the agent. */
  readonly key: string | null;
  /** Further headers of every call; they win over the agent's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: one of its own, with proxies from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, closed with the client. */
  readonly dispatcher?: Dispatcher;
}

/**
 * Sends calls on to a provider that speaks the agent's dialect, bytes untouched.
 * @throws VfError `config/invalid` when `baseUrl` is no http(s) URL
 */
export function relayClient(options: RelayOptions): Client & { close(): Promise<void> } {
  const base = parseBase(options.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const extra = Object.entries(options.headers ?? {}).flat();
  const { key } = options;
  const dispatcher = options.dispatcher ?? providerAgent(base.origin);
  return {
    send(exchange, signal) {
      const { request } = exchange;
      const body = requestBody(request.body);
      const headers = requestHeaders(request.headers, exchange.dialect, key, extra);
      if (body !== null) headers.push('content-length', String(body.length));
      const call: Dispatcher.DispatchOptions = {
        origin: base.origin,
        path: joinPath(basePath, request.path),
        method: request.method,
        headers,
      };
      // undici takes any iterable of bytes as a body; its types leave that out.
      if (body !== null) Object.assign(call, { body: body.data });
      return dispatch(dispatcher, call, key, signal);
    },
    async close() {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * Keeps sockets open between calls and sets no time limit on a reply: models think for minutes. Goes through the
 * proxy that the environment names, if any.
 */
export function providerAgent(origin: string): Dispatcher {
  const options: PoolType.Options = {
    connectTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 600_000,
    allowH2: false,
  };
  const hasProxy = proxyVariables.some((name) => (process.env[name] ?? '') !== '');
  return hasProxy ? proxyAgent(options) : new Pool(origin, options);
}

function parseBase(baseUrl: string): URL {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (base !== null && /^https?:$/.test(base.protocol)) return base;
  throw new VfError('config/invalid', `base URL '${baseUrl}' is no http or https URL`, {
    hint: 'give it like https://api.example.com/v1',
  });
}

function dispatch(
  dispatcher: Dispatcher,
  call: Dispatcher.DispatchOptions,
  key: string | null,
  signal: AbortSignal,
): Promise<Reply> {
  const origin = String(call.origin);
  if (signal.aborted) return Promise.reject(sendFailure(signal.reason, origin, key, signal));
  const handler = new ProviderCall(origin, key, signal);
  try {
    dispatcher.dispatch(call, handler);
  } catch (error) {
    handler.finish(error instanceof Error ? error : new Error(String(error)));
  }
  return handler.reply;
}
