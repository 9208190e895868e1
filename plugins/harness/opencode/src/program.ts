import type { NpmProgram } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** The platform's package holds one executable. The one for all x64 processors: the other needs AVX2. */
export function programOf({ version }: Pick<Config, 'version'>): NpmProgram {
  return {
    name: 'opencode',
    package: 'opencode-ai',
    version,
    executable: 'opencode-*-{x64-baseline,arm64}/bin/opencode',
    // The one for musl crashes at its start under older musls, and is not there for each version.
    libc: 'glibc',
  };
}
