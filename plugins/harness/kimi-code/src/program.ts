import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** A script, with a Node of its own. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'kimi',
    package: '@moonshot-ai/kimi-code',
    version,
    executable: '@moonshot-ai/kimi-code/dist/main.mjs',
    node: '24.21.0',
  };
}
