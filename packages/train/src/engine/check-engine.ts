import { VfError } from '@vf/core/errors';
import { EngineFailed } from './engine-failed.ts';
import { EngineHttp } from './engine-http.ts';
import type { EngineId, EngineOptions } from './engine.ts';
import { isMissing } from './http-failures.ts';
import { sampleRoutes } from './routes.ts';

const patienceMs = 10_000;

/**
 * Asks each server for nothing where samples are asked for, which samples nothing: a server of another kind has no such
 * route. Whatever else it answers passes.
 * @throws VfError `misfit/plan`
 */
export async function checkEngine(
  engine: EngineId | 'vllm-chat',
  options: EngineOptions,
  signal: AbortSignal,
): Promise<void> {
  const urls = [options.baseUrl, ...(options.replicas ?? [])];
  await Promise.all(urls.map((baseUrl) => checkServer(engine, { ...options, baseUrl }, signal)));
}

async function checkServer(
  engine: EngineId | 'vllm-chat',
  options: EngineOptions,
  signal: AbortSignal,
): Promise<void> {
  const http = new EngineHttp(options);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    await http.post(sampleRoutes[engine], '{}', bounded);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EngineFailed) || !isMissing(error)) return;
    throw new VfError('misfit/plan', error.message, {
      hint: 'client.engine = "vllm", "vllm-chat", "sglang" or "llama.cpp", as the server is; client.base_url without a path, or with /v1',
    });
  } finally {
    await http.close();
  }
}
