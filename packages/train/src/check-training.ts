import { checkEngine } from './engine/check-engine.ts';
import { checkTokenizer } from './engine/check-tokenizer.ts';
import type { EngineId, EngineOptions } from './engine/engine.ts';
import type { OpenedRenderer } from './open-renderer.ts';
import { checkTemplate } from './template/check-template.ts';

export interface TrainingOptions extends EngineOptions {
  /** May the servers' own template be another than the renderer's? Default no. */
  readonly otherTemplate?: boolean;
}

/**
 * Before anything is sampled: is each server an engine of this kind, with the model that the tokenizer and the renderer
 * are of?
 * @param opened null for `vllm-chat`, whose tokenizer is its own
 * @throws VfError `misfit/plan`, `misfit/tokenizer`, `misfit/template`
 */
export async function checkTraining(
  engine: EngineId | 'vllm-chat',
  { otherTemplate = false, ...options }: TrainingOptions,
  model: string,
  opened: OpenedRenderer | null,
  signal: AbortSignal,
): Promise<void> {
  await checkEngine(engine, options, signal);
  if (opened === null || engine === 'vllm-chat') return;
  await checkTokenizer(engine, options, model, opened.tokenizer, signal);
  if (!otherTemplate) await checkTemplate(engine, options, model, opened, signal);
}
