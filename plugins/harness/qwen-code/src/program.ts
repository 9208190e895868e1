import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** A script, with a Node of its own. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version,
    executable: '@qwen-code/qwen-code/cli-entry.js',
    node: '24.21.0',
  };
}
