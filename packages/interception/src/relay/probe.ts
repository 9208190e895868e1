import type { Dialect } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import type { Dispatcher } from 'undici';
import { joinPath } from './join-url.ts';
import { providerAgent } from './relay-client.ts';
import { isOfWebServer, noModelServer } from './no-model-server.ts';
import type { ProbeAnswer } from './no-model-server.ts';
import { requestThrough } from './undici-parts.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly dialect: Pick<Dialect, 'authorize' | 'turnPath'>;
  readonly model: string;
  /** What names the model, for the message. Default `-m`. */
  readonly modelFlag?: string;
  /** How long it is waited for. Default 10 s. */
  readonly patienceMs?: number;
}

const usualPatienceMs = 10_000;

/**
 * Asks the provider for its models, which samples nothing: tells a refused connection, a refused key and an unknown
 * model before the first rollout. A provider that lists no models passes, when it takes turns: what answers like a web
 * server (no JSON, a redirect) is sent an empty turn, which no model server samples from.
 * @throws VfError provider/unreachable (also when it does not answer, or is no model server), provider/auth,
 * provider/unknown_model
 */
export async function probeProvider(options: ProbeOptions, signal: AbortSignal): Promise<void> {
  const dispatcher = providerAgent(new URL(options.baseUrl).origin);
  const patience = AbortSignal.timeout(options.patienceMs ?? usualPatienceMs);
  const bounded = AbortSignal.any([signal, patience]);
  try {
    const list = await get(options, '/v1/models', dispatcher, bounded);
    if (list.status === 401 || list.status === 403) throw refusedKey(options, list.status);
    if (isOfWebServer(list)) {
      const path = options.dialect.turnPath({ model: options.model, stream: false });
      const turn = await ask(options, { method: 'POST', path, body: '{}' }, dispatcher, bounded);
      if (isOfWebServer(turn)) throw noModelServer(options, turn);
    }
    const known = modelIds(list.body);
    if (known.length === 0 || known.includes(options.model)) return;
    // Aliases are in no list but can be asked for by name.
    const one = await get(
      options,
      `/v1/models/${encodeURIComponent(options.model)}`,
      dispatcher,
      bounded,
    );
    if (one.status === 404) throw unknownModel(options, known);
  } catch (error) {
    if (patience.aborted && !signal.aborted) throw silent(options, error);
    throw error;
  } finally {
    await dispatcher.destroy();
  }
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

function get(
  options: ProbeOptions,
  path: string,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  return ask(options, { method: 'GET', path }, dispatcher, signal);
}

async function ask(
  { baseUrl, key, headers, dialect }: ProbeOptions,
  { method, path, body: sent }: Question,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const base = new URL(baseUrl);
  const { origin } = base;
  const whole = joinPath(base.pathname.replace(/\/+$/, ''), path);
  const own = [
    ...(key === null ? [] : dialect.authorize(key)),
    ...Object.entries(headers ?? {}).flat(),
    ...(sent === undefined ? [] : ['content-type', 'application/json']),
  ];
  try {
    const {
      statusCode,
      headers: head,
      body,
    } = await requestThrough(dispatcher, {
      origin,
      path: whole,
      method,
      headers: own,
      ...(sent === undefined ? {} : { body: sent }),
      signal,
    });
    const text = await body.text();
    const { location } = head;
    return {
      status: statusCode,
      path: whole,
      body: parsed(text),
      isHtml: /^\s*<(?:!doctype|html)/i.test(text),
      location: typeof location === 'string' ? location : null,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason =
      error instanceof Error
        ? error.message || String((error as { code?: unknown }).code)
        : String(error);
    throw new VfError('provider/unreachable', `no connection to ${base.origin}: ${reason}`, {
      hint: 'check client.base_url, the network, and whether the server runs',
      cause: error,
    });
  }
}

function silent({ baseUrl, patienceMs = usualPatienceMs }: ProbeOptions, cause: unknown): VfError {
  const message = `${new URL(baseUrl).origin} did not answer in ${patienceMs / 1000} s`;
  return new VfError('provider/unreachable', message, {
    hint: 'check client.base_url, the network, and whether the server is overloaded',
    cause,
  });
}

function modelIds(body: unknown): string[] {
  const list = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((model: unknown) =>
    typeof model === 'object' && model !== null && 'id' in model && typeof model.id === 'string'
      ? [model.id]
      : [],
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusedKey({ baseUrl, key }: ProbeOptions, status: number): VfError {
  const what = key === null ? 'asks for a key' : 'refuses the key';
  return new VfError('provider/auth', `${new URL(baseUrl).origin} ${what} (status ${status})`, {
    status,
    hint:
      key === null
        ? 'client.api_key_var names the variable that holds it, client.headers_from_env those of headers'
        : 'check the key in the variable that client.api_key_var names',
  });
}

function unknownModel(
  { baseUrl, model, modelFlag = '-m' }: ProbeOptions,
  known: readonly string[],
): VfError {
  const close = nearest(model, known);
  const some = known.slice(0, 5).join(', ');
  const choice =
    close === null ? `it has ${some}${known.length > 5 ? ', …' : ''}` : `nearest: ${close}`;
  return new VfError(
    'provider/unknown_model',
    `${new URL(baseUrl).origin} has no model ${JSON.stringify(model)}; ${choice}`,
    {
      status: 404,
      hint: `${modelFlag} ${close ?? known[0]}`,
    },
  );
}
