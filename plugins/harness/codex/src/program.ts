import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** The package's launcher needs Node in the box; the static binary beside it needs nothing. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'codex',
    package: '@openai/codex',
    version,
    executable: '@openai/codex*/vendor/*/{bin,codex}/codex',
  };
}
