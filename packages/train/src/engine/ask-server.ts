import { isObject } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { EngineHttp } from './engine-http.ts';
import type { EngineOptions } from './engine.ts';

const patienceMs = 10_000;

/** How long servers may take for what they are asked before a run, for all of it together; aborted after that. */
export function newPatience(): AbortSignal {
  return AbortSignal.timeout(patienceMs);
}

/** Whom to ask, and how long. */
export interface Asking {
  readonly options: EngineOptions;
  readonly signal: AbortSignal;
  readonly patience: AbortSignal;
}

/**
 * What a server tells of itself before a run: the JSON object that it answers, or null when it answers with none, or not
 * with success, or not at all. Whether it answers at all is asked elsewhere.
 * @param body null: asked with GET
 * @throws what `signal` was aborted with
 */
export async function askServer(
  { options, signal, patience }: Asking,
  path: string,
  body: JsonObject | null,
): Promise<JsonObject | null> {
  const http = new EngineHttp(options);
  const bounded = AbortSignal.any([signal, patience]);
  try {
    const answer = await (body === null
      ? http.get(path, bounded)
      : http.post(path, JSON.stringify(body), bounded));
    return isObject(answer) ? answer : null;
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    await http.close();
  }
}

/** The ids in an answer of `/tokenize`; null when it tells none. */
export function toldTokens(answer: JsonObject | null): readonly number[] | null {
  const ids: unknown = answer?.['tokens'];
  const isList = Array.isArray(ids) && ids.length > 0;
  return isList && ids.every((id) => typeof id === 'number') ? ids : null;
}

/** What each server of a model tells when all are asked at once; those that do not say are left out. */
export async function toldByEach<T>(
  { options, ...rest }: Asking,
  ask: (one: Asking) => Promise<T | null>,
): Promise<readonly { readonly url: string; readonly told: T }[]> {
  const all = await Promise.all(
    serversOf(options).map(async (server) => ({
      url: server.baseUrl,
      told: await ask({ options: server, ...rest }),
    })),
  );
  return all.flatMap(({ url, told }) => (told === null ? [] : [{ url, told }]));
}

/** Each server of a model by itself. */
export function serversOf(options: EngineOptions): readonly EngineOptions[] {
  return [options.baseUrl, ...(options.replicas ?? [])].map((baseUrl) => ({ ...options, baseUrl }));
}
