import { VfError } from '@vf/core/errors';
import { newPatience, serversOf } from './ask-server.ts';
import type { Asking } from './ask-server.ts';
import { EngineFailed } from './engine-failed.ts';
import { EngineHttp } from './engine-http.ts';
import type { EngineId, EngineOptions } from './engine.ts';
import { isMissing } from './http-failures.ts';
import { sampleRoutes } from './routes.ts';

/**
 * Asks each server for nothing where samples are asked for, which samples nothing: a server of another kind has no such
 * route. Whatever else it answers passes.
 * @throws VfError `misfit/plan`
 */
export async function checkEngine(
  engine: EngineId | 'vllm-chat',
  options: EngineOptions,
  signal: AbortSignal,
  patience: AbortSignal = newPatience(),
): Promise<void> {
  await Promise.all(
    serversOf(options).map((server) => checkServer(engine, { options: server, signal, patience })),
  );
}

async function checkServer(
  engine: EngineId | 'vllm-chat',
  { options, signal, patience }: Asking,
): Promise<void> {
  const http = new EngineHttp(options);
  const bounded = AbortSignal.any([signal, patience]);
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
