import type { Head } from '@vf/core';
import { parseJson } from '@vf/core/dialect';
import { createParser } from 'eventsource-parser';
import { Agent } from 'undici';
import { TooLong } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { EngineCall } from './engine-call.ts';
import type { EngineOptions } from './engine.ts';
import { EngineFailed, malformed } from './engine-failed.ts';
import { refused, sendFailure } from './http-failures.ts';
import { unfinishedBytes } from './stream-events.ts';

const utf8 = new TextDecoder();

/** Bytes of an answer that comes in one piece: 128k tokens with experts and candidates have a tenth of it. */
const mostBytes = 2 ** 28;

interface Answer {
  readonly head: Head;
  readonly body: Arrivals;
}

interface HttpWays {
  /** The server ends the connection behind a stream, whatever its head says. */
  readonly endsStreams?: boolean;
}

/** JSON calls to one engine. Sockets are kept; a sample may take any time, so there is no limit on it. */
export class EngineHttp {
  readonly #origin: string;
  readonly #endsStreams: boolean;
  /** `#origin` in parts, once it was asked for. */
  #parts: { readonly origin: string; readonly prefix: string } | null = null;
  readonly #headers: Readonly<Record<string, string>>;
  /** vLLM and SGLang close a socket that has been idle for 5 s, perhaps just when it is used again. */
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4000 });

  constructor({ baseUrl, key, headers }: EngineOptions, { endsStreams = false }: HttpWays = {}) {
    this.#endsStreams = endsStreams;
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
    const { head, body: answer } = await this.#send(
      path,
      'POST',
      body,
      headers,
      signal,
      this.#endsStreams,
    );
    if (head.status !== 200) {
      await this.#end(answer, signal);
      throw refused(this.#origin, path, head, utf8.decode(answer.piece()));
    }
    let unfinished = 0;
    try {
      for await (const bytes of answer.batches()) {
        unfinished = unfinishedBytes(bytes, unfinished);
        if (unfinished > mostBytes) {
          throw malformed(`the engine streamed an event of more than ${mostBytes} bytes`);
        }
        yield bytes;
      }
    } catch (error) {
      throw error instanceof EngineFailed ? error : sendFailure(error, this.#origin, signal);
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
    if (head.status !== 200) throw refused(this.#origin, path, head, utf8.decode(answer.piece()));
    return read(answer.piece());
  }

  /** @throws SendFailed, EngineFailed for an answer of more than `mostBytes` */
  async #end(answer: Arrivals, signal: AbortSignal): Promise<void> {
    try {
      await answer.ended(mostBytes);
    } catch (error) {
      if (!(error instanceof TooLong)) throw sendFailure(error, this.#origin, signal);
      throw malformed(`the engine answered with more than ${mostBytes} bytes`);
    }
  }

  /** @param isLast the connection is not kept for another call */
  async #send(
    path: string,
    method: 'GET' | 'POST',
    body: string | Uint8Array | null,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    isLast = false,
  ): Promise<Answer> {
    if (signal.aborted) throw sendFailure(signal.reason, this.#origin, signal);
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
          // The next call would go out on a connection that is about to end.
          reset: isLast,
        },
        call,
      );
      return { head: await call.head, body: call.body };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      call.finish(failure);
      throw sendFailure(failure, this.#origin, signal);
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
