import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** The platform's package holds one executable; the main package only links to it by an install script. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version,
    executable: '@anthropic-ai/claude-code-*/claude',
  };
}
