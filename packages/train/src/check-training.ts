import { allPass } from './engine/all-pass.ts';
import { newPatience } from './engine/ask-server.ts';
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
 * are of? All is asked at once, and what a server has not answered in ten seconds passes.
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
  const patience = newPatience();
  const asking = { options, signal, patience };
  const checks = [checkEngine(engine, options, signal, patience)];
  if (opened !== null && engine !== 'vllm-chat') {
    checks.push(checkTokenizer(engine, asking, model, opened.tokenizer));
    if (!otherTemplate) checks.push(checkTemplate(engine, asking, model, opened));
  }
  // What is wrong with the server tells more than what then is wrong with its answers.
  await allPass(checks);
}
