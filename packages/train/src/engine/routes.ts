import type { EngineId } from './engine.ts';

/** Where each engine is asked for samples. */
export const sampleRoutes: Readonly<Record<EngineId | 'vllm-chat', string>> = {
  vllm: '/inference/v1/generate',
  'vllm-chat': '/v1/chat/completions',
  sglang: '/generate',
  'llama.cpp': '/completion',
};

/** What is wrong when a server does not have `path` of an engine. */
export function missingRoute(origin: string, path: string): string {
  const fix = path === sampleRoutes.vllm ? 'start vLLM with --enable-scale-out, or ' : '';
  return `${origin} has no ${path}, which ${askedBy(path)} asks for: ${fix}is client.engine or client.base_url wrong?`;
}

function askedBy(path: string): string {
  const found = Object.entries(sampleRoutes).find(([, route]) => route === path);
  if (found !== undefined) return `the engine ${found[0]}`;
  return path === '/props' ? 'the engine llama.cpp' : 'the engine';
}
