import type { PythonProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** A console script of a Python package. */
export function programOf({ version }: Pick<Config, 'version'>): PythonProgram {
  return {
    name: 'mini-SWE-agent',
    package: 'mini-swe-agent',
    version,
    script: 'mini',
    python: '3.10',
  };
}
