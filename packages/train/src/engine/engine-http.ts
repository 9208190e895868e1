import type { CallError, Head } from '@vf/core';
import { callErrorOf, isObject, parseJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { SendFailed } from '@vf/core/errors';
import { createParser } from 'eventsource-parser';
import { Agent } from 'undici';
import { TooLong } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { EngineCall } from './engine-call.ts';
import type { EngineOptions } from './engine.ts';
import { EngineFailed, noSample } from './engine-failed.ts';
import { missingRoute } from './routes.ts';

const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']);

const utf8 = new TextDecoder();

/** Statuses of a route, or of a way to ask it, that is not there. */
const missing = new Set([404, 405]);

/** Bytes of an answer that comes in one piece: 128k tokens with experts and candidates have a tenth of it. */
const mostBytes = 2 ** 28;

interface Answer {
  readonly head: Head;
  readonly body: Arrivals;
}

/** JSON calls to one engine. Sockets are kept; a sample may take any time, so there is no limit on it. */
export class EngineHttp {
  readonly #origin: string;
  /** `#origin` in parts, once it was asked for. */
  #parts: { readonly origin: string; readonly prefix: string } | null = null;
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
    return this.#ask(path, 'GET', null, {}, signal, jsonOf);
  }

  /**
   * @param body JSON
   * @throws SendFailed, EngineFailed for every status but 200
   */
  post(
    path: string,
    body: string | Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    return this.#ask(path, 'POST', body, headers, signal, jsonOf);
  }

  /**
   * What `read` makes of the answer's bytes, which the next answer may overwrite.
   * @param body JSON
   * @throws SendFailed, EngineFailed for every status but 200, and what `read` throws
   */
  read<T>(
    path: string,
    body: Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
    read: (bytes: Buffer) => T,
  ): Promise<T> {
    return this.#ask(path, 'POST', body, headers, signal, read);
  }

  /**
   * The data of server-sent events, as text; those that arrive within some milliseconds come together, and `[DONE]` is
   * none.
   * @param body JSON
   * @throws SendFailed, EngineFailed for every status but 200
   */
  async *events(
    path: string,
    body: string | Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): AsyncGenerator<readonly string[]> {
    let arrived: string[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data !== '[DONE]') arrived.push(data);
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of this.chunks(path, body, signal, headers)) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (arrived.length > 0) yield arrived;
      arrived = [];
    }
  }

  /**
   * The bytes of a stream; those that arrive within some milliseconds come together.
   * @param body JSON
   * @throws SendFailed, EngineFailed for every status but 200
   */
  async *chunks(
    path: string,
    body: string | Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ): AsyncGenerator<Buffer> {
    const { head, body: answer } = await this.#send(path, 'POST', body, headers, signal);
    if (head.status !== 200) {
      await this.#end(answer, signal);
      throw this.#refused(path, head, answer);
    }
    try {
      yield* answer.batches();
    } catch (error) {
      throw failureOf(error, this.#origin, signal);
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #ask<T>(
    path: string,
    method: 'GET' | 'POST',
    body: string | Uint8Array | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    read: (bytes: Buffer) => T,
  ): Promise<T> {
    const { head, body: answer } = await this.#send(path, method, body, headers, signal);
    await this.#end(answer, signal);
    if (head.status !== 200) throw this.#refused(path, head, answer);
    return read(answer.piece());
  }

  /** @throws SendFailed, EngineFailed for an answer of more than `mostBytes` */
  async #end(answer: Arrivals, signal: AbortSignal): Promise<void> {
    try {
      await answer.ended(mostBytes);
    } catch (error) {
      if (!(error instanceof TooLong)) throw failureOf(error, this.#origin, signal);
      throw noSample(`the engine answered with more than ${mostBytes} bytes`);
    }
  }

  #refused(path: string, head: Head, answer: Arrivals): EngineFailed {
    const text = utf8.decode(answer.piece());
    const failed = new EngineFailed(callErrorOf(head, parseJson(text) ?? text));
    if (head.status < 400) return new EngineFailed(elsewhere(this.#origin, head));
    const { status, message } = failed.error;
    // A model or an adapter that is not there is told with 404 too, by its name.
    if (!missing.has(status) || /model|adapter|lora/i.test(message)) return failed;
    const reason = missingRoute(this.#origin, path);
    return new EngineFailed({ status, code: 'invalid', message: `${reason} (${message})` });
  }

  async #send(
    path: string,
    method: 'GET' | 'POST',
    body: string | Uint8Array | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (signal.aborted) throw failureOf(signal.reason, this.#origin, signal);
    const call = new EngineCall(signal);
    try {
      const { origin, prefix } = (this.#parts ??= partsOf(this.#origin));
      this.#agent.dispatch(
        {
          origin,
          path: `${prefix}${path}`,
          method,
          headers: { ...this.#headers, ...headers },
          body,
        },
        call,
      );
      return { head: await call.head, body: call.body };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      call.finish(failure);
      throw failureOf(failure, this.#origin, signal);
    }
  }
}

function jsonOf(bytes: Buffer): unknown {
  return parseJson(utf8.decode(bytes));
}

function partsOf(url: string): { readonly origin: string; readonly prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

/** A status that is no failure and no answer: mostly a redirection, which no call follows. */
function elsewhere(origin: string, { status, headers }: Head): CallError {
  const at = headers.indexOf('location');
  const place = at < 0 ? '' : ` and names ${headers[at + 1]}: ask there`;
  return { status: 400, code: 'invalid', message: `${origin} answers ${status}${place}` };
}

/** Does the failure say that the server has no such route? */
export function isMissing({ error }: EngineFailed): boolean {
  return missing.has(error.status) && error.code === 'invalid';
}

/** Events of a stream as JSON. @throws EngineFailed for one that tells a failure, or nothing */
export function eventsOf(batch: readonly string[]): readonly JsonObject[] {
  const all = parseJson(`[${batch.join(',')}]`);
  const isPlain =
    Array.isArray(all) && all.every((event) => isObject(event) && event['error'] == null);
  return isPlain ? all : batch.map(eventOf);
}

/** One event of a stream as JSON. @throws EngineFailed for one that tells a failure, or nothing */
export function eventOf(data: string): JsonObject {
  const event = parseJson(data);
  if (!isObject(event)) throw noSample(`the engine streamed ${data.slice(0, 200)}`);
  if (event['error'] === undefined || event['error'] === null) return event;
  throw new EngineFailed(callErrorOf({ status: 200, headers: [] }, event));
}

function failureOf(error: unknown, origin: string, signal: AbortSignal): SendFailed {
  if (signal.aborted) return new SendFailed('aborted', 'the call was aborted', error);
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return resets.has(code)
    ? new SendFailed('reset', `${origin} closed the connection: ${message}`, error)
    : new SendFailed('unreachable', `no connection to ${origin}: ${message || code}`, error);
}
