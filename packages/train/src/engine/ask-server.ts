import { isObject } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { EngineHttp } from './engine-http.ts';
import type { EngineOptions } from './engine.ts';

const patienceMs = 10_000;

/**
 * What a server tells of itself before a run: the JSON object that it answers, or null when it answers with none, or not
 * with success, or not at all. Whether it answers at all is asked elsewhere.
 * @param body null: asked with GET
 * @throws what `signal` was aborted with
 */
export async function askServer(
  options: EngineOptions,
  path: string,
  body: JsonObject | null,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const http = new EngineHttp(options);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
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
