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
  return untakenSampling(engine, sampling).map((key) => ({
    path: `sampling.${key}`,
    message: `training with the engine ${engine} cannot take it`,
    fix:
      key === 'reasoning_effort'
        ? 'sampling.chat_template_kwargs = { reasoning_effort = "high" }, where the model’s renderer has it'
        : `leave it out; beyond the usual ones it takes ${knownTo(engine).join(', ')}`,
  }));
}
