import type { Sampling } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { ClientConfig } from '../config/run-config.ts';

/** Settings that an engine would not hear of: a sample that was not drawn as the run says must not train. */
export async function samplingProblems(
  { type, train }: ClientConfig,
  sampling: Sampling,
): Promise<readonly Problem[]> {
  const { engine } = train;
  if (type === 'eval' || engine === null) return [];
  // Engines are loaded by those who train.
  const { knownTo, untakenSampling } = await import('@vf/train');
  return untakenSampling(engine, sampling, train.logprobs).map((key) => ({
    path: `sampling.${key}`,
    message: `training with the engine ${engine} cannot take it`,
    fix:
      fixOf(key, engine, sampling) ??
      `leave it out; beyond the usual ones it takes ${knownTo(engine).join(', ')}`,
  }));
}

function fixOf(
  key: string,
  engine: NonNullable<ClientConfig['train']['engine']>,
  { temperature }: Sampling,
): string | null {
  if (key === 'reasoning_effort')
    return 'sampling.chat_template_kwargs = { reasoning_effort = "high" }, where the model’s renderer has it';
  if (key === 'stop')
    return 'leave it out, or use vLLM: llama.cpp tells no logprobs for stop words';
  if (key === 'temperature' && temperature === 0)
    return 'a temperature above 0: the engine tells logprobs from before greedy choice; client.type = "eval" takes it';
  if (!bending.has(key)) return null;
  return engine === 'sglang'
    ? 'leave it out, or use vLLM: SGLang tells logprobs from before filters and greedy choice'
    : 'client.logprobs = "processed", with vLLM started with --logprobs-mode processed_logprobs; or leave it out';
}

/** Settings whose effect raw logprobs do not tell. */
const bending: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'min_tokens',
]);
