import type { EngineSpec, LocalEngine } from './engine-spec.ts';
import { llamaCpp } from './llama-cpp.ts';
import { sglang } from './sglang.ts';
import { vllm } from './vllm.ts';

export const specs: Readonly<Record<LocalEngine, EngineSpec>> = {
  'llama.cpp': llamaCpp,
  vllm,
  sglang,
};
