import { familyOf, isInfrastructure } from '@vf/core/errors';

/** What to type so that rollouts that ended with this code get a score. */
export function remedyOf(code: string, run: string): string {
  if (isInfrastructure(code) || code.startsWith('internal/')) return `vf resume ${run}`;
  const family = familyOf(code);
  if (family === 'scoring') return `vf rescore ${run}, once the scorer is mended`;
  return `vf resume ${run} --include ${family}, once it is mended`;
}
