import { EventEmitter } from 'node:events';
import type { Endpoint } from '@vf/core';
import { isObject, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { AbortListener } from '@vf/core/life';
import type { Abortable } from '@vf/core/life';
import type { Ask, Reply, Wire } from '../wire/wire.ts';
import { dispatcherOf } from './dispatcher-of.ts';
import { sseData } from './sse-data.ts';
import { requestThrough } from './undici-parts.ts';
import { unpacked } from './unpacked.ts';

/** A call that gave no reply: what the endpoint said. */
export interface Failure {
  readonly failure: string;
}

/** The signal of one call as undici takes it too: its own listeners would keep the call from being freed. */
class CallEnd extends EventEmitter implements Abortable {
  readonly #listener: AbortListener | null;
  reason: unknown;

  constructor(signal: AbortSignal) {
    super();
    this.reason = signal.reason;
    this.#listener = signal.aborted ? null : new AbortListener(signal, this);
  }

  abort(reason: unknown): void {
    this.reason = reason;
    this.emit('abort');
  }

  release(): void {
    this.#listener?.release();
  }
}

/**
 * One model call; never tried again here.
 * @throws the signal's reason when it fires
 */
export async function ask(
  wire: Wire,
  endpoint: Endpoint,
  what: Ask,
  signal: AbortSignal,
): Promise<Reply | Failure> {
  signal.throwIfAborted();
  const end = new CallEnd(signal);
  try {
    const { origin, pathname } = new URL((endpoint.hostUrl ?? endpoint.url) + wire.path);
    const { statusCode, headers, body } = await requestThrough(dispatcherOf(endpoint), {
      origin,
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...wire.headers(endpoint.bearer) },
      body: JSON.stringify(wire.body(what)),
      signal: end,
    });
    const encoding = headers['content-encoding'];
    const text =
      typeof encoding === 'string'
        ? await unpacked(await body.arrayBuffer(), encoding)
        : await body.text();
    if (statusCode !== 200) return { failure: `HTTP ${statusCode}: ${messageOf(text)}` };
    return readReply(wire, text, what.stream);
  } catch (error) {
    signal.throwIfAborted();
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    end.release();
  }
}

function readReply(wire: Wire, text: string, stream: boolean): Reply | Failure {
  const body = parseJson(text);
  // A provider may answer plainly what was asked for as a stream.
  if (isObject(body)) return replyOf(wire, body, text);
  if (!stream) return { failure: `the reply is not JSON: ${text.slice(0, 200)}` };
  const events = sseData(text).map(parseJson).filter(isObject);
  const failed = events.find((event) => isObject(errorOf(event)));
  if (failed !== undefined) return { failure: messageOf(JSON.stringify(failed)) };
  const assembled = wire.assemble(events);
  if (assembled === null) return { failure: 'the stream ended before the reply was complete' };
  return replyOf(wire, assembled, text);
}

function replyOf(wire: Wire, body: JsonObject, text: string): Reply | Failure {
  if (isObject(body['error'])) return { failure: messageOf(text) };
  return wire.read(body) ?? { failure: `the reply is none of its dialect: ${text.slice(0, 200)}` };
}

/** Responses puts it into the response of its last event. */
function errorOf(event: JsonObject): unknown {
  return event['error'] ?? objectOf(event['response'])['error'];
}

function messageOf(text: string): string {
  const body = objectOf(parseJson(text));
  return stringOf(objectOf(errorOf(body))['message']) ?? text.slice(0, 500);
}
