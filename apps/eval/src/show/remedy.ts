import { familyOf, isInfrastructure } from '@vf/core/errors';

/** What to type so that rollouts that ended with this code get a score. */
export function remedyOf(code: string, run: string): string {
  if (isInfrastructure(code) || code.startsWith('internal/')) return `vf resume ${run}`;
  return `vf resume ${run} --include ${familyOf(code)}, once it is mended`;
}
