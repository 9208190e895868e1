import type { Engine, EngineId, EngineOptions } from './engine.ts';
import { goingOn } from './go-on.ts';
import { llamaCpp } from './llama-cpp.ts';
import { replicas } from './replicas.ts';
import { sglang } from './sglang.ts';
import { vllm } from './vllm.ts';

const makers: Readonly<Record<EngineId, (options: EngineOptions) => Engine>> = {
  vllm,
  sglang,
  'llama.cpp': llamaCpp,
};

/** An engine at a base URL, or at several. */
export function makeEngine(id: EngineId, options: EngineOptions): Engine {
  const { baseUrl, replicas: more = [] } = options;
  const open = (url: string): Engine => makers[id]({ ...options, baseUrl: url });
  return goingOn(more.length === 0 ? open(baseUrl) : replicas([open(baseUrl), ...more.map(open)]));
}
