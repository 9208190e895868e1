import type { Engine, EngineId, EngineOptions } from './engine.ts';
import { llamaCpp } from './llama-cpp.ts';
import { sglang } from './sglang.ts';
import { vllm } from './vllm.ts';

const makers: Readonly<Record<EngineId, (options: EngineOptions) => Engine>> = {
  vllm,
  sglang,
  'llama.cpp': llamaCpp,
};

/** An engine at a base URL. */
export function makeEngine(id: EngineId, options: EngineOptions): Engine {
  return makers[id](options);
}
