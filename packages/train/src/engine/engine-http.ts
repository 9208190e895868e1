import type { Head } from '@vf/core';
import { callErrorOf, parseJson } from '@vf/core/dialect';
import { SendFailed } from '@vf/core/errors';
import { Agent } from 'undici';
import type { EngineOptions } from './engine.ts';
import { EngineFailed } from './engine-failed.ts';

const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']);

/** JSON calls to one engine. Sockets are kept; a sample may take any time, so there is no limit on it. */
export class EngineHttp {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 });

  constructor({ baseUrl, key, headers }: EngineOptions) {
    this.#origin = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(key == null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    };
  }

  /** @throws SendFailed, EngineFailed for every status but 200 */
  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#ask(path, 'GET', null, {}, signal);
  }

  /** @throws SendFailed, EngineFailed for every status but 200 */
  post(
    path: string,
    body: unknown,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    return this.#ask(path, 'POST', JSON.stringify(body), headers, signal);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #ask(
    path: string,
    method: 'GET' | 'POST',
    body: string | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { status, answer, text } = await this.#send(path, method, body, headers, signal);
    const parsed = parseJson(text);
    if (status !== 200) throw new EngineFailed(callErrorOf(answer, parsed ?? text));
    return parsed;
  }

  async #send(
    path: string,
    method: 'GET' | 'POST',
    body: string | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly answer: Head; readonly text: string }> {
    try {
      const response = await this.#agent.request({
        origin: new URL(this.#origin).origin,
        path: `${new URL(this.#origin).pathname.replace(/\/$/, '')}${path}`,
        method,
        headers: { ...this.#headers, ...headers },
        body,
        signal,
      });
      const raw = Object.entries(response.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [name, value] : [],
      );
      const status = response.statusCode;
      return { status, answer: { status, headers: raw }, text: await response.body.text() };
    } catch (error) {
      throw failureOf(error, this.#origin, signal);
    }
  }
}

function failureOf(error: unknown, origin: string, signal: AbortSignal): SendFailed {
  if (signal.aborted) return new SendFailed('aborted', 'the call was aborted', error);
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return resets.has(code)
    ? new SendFailed('reset', `${origin} closed the connection: ${message}`, error)
    : new SendFailed('unreachable', `no connection to ${origin}: ${message || code}`, error);
}
