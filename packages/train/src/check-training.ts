import { checkEngine } from './engine/check-engine.ts';
import { checkTokenizer } from './engine/check-tokenizer.ts';
import type { EngineId, EngineOptions } from './engine/engine.ts';
import type { OpenedRenderer } from './open-renderer.ts';

/**
 * Before anything is sampled: is each server an engine of this kind, with the model that the tokenizer is of?
 * @param opened null for `vllm-chat`, whose tokenizer is its own
 * @throws VfError `misfit/plan`, `misfit/tokenizer`
 */
export async function checkTraining(
  engine: EngineId | 'vllm-chat',
  options: EngineOptions,
  model: string,
  opened: OpenedRenderer | null,
  signal: AbortSignal,
): Promise<void> {
  await checkEngine(engine, options, signal);
  if (opened === null || engine === 'vllm-chat') return;
  await checkTokenizer(engine, options, model, opened.tokenizer, signal);
}
