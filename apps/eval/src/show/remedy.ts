import { familyOf, isInfrastructure } from '@vf/core/errors';
import { includable } from '../includable.ts';
import { playAnew } from '../typed.ts';

export interface RemedyRun {
  /** As it may be typed. */
  readonly typed: string;
  readonly dir: string;
  /** Do its rewards look into the box? */
  readonly boxToScore: boolean;
  /** Did a program of its own play it? */
  readonly elsewhere: boolean;
}

/** What to type so that rollouts that ended with this code get a score. */
export function remedyOf(code: string, { typed, dir, boxToScore, elsewhere }: RemedyRun): string {
  if (elsewhere) return 'in the program that played it, then play it there again';
  if (code === 'provider/auth')
    return `vf resume ${typed}, once the key that client.api_key_var names is right`;
  if (code === 'runtime/exec_failed')
    return `vf resume ${typed}, once the program can be started; ${withOtherSettings(dir)}`;
  if (isInfrastructure(code) || code.startsWith('internal/')) return `vf resume ${typed}`;
  const family = familyOf(code);
  if (family === 'scoring' && !boxToScore && code !== 'scoring/box_gone')
    return `vf rescore ${typed}, once the scorer is mended`;
  if (family === 'harness')
    return `vf resume ${typed} --include harness, once it is mended; ${withOtherSettings(dir)}`;
  if (family === 'training')
    return `vf resume ${typed} --include training samples them again; what cannot be told exactly stays out of the samples then`;
  if (includable.includes(family))
    return `vf resume ${typed} --include ${family}, once it is mended`;
  return `${playAnew(dir)}, with what fits together`;
}

/** A resume plays the stored settings: others of the harness change what is measured, and are refused. */
function withOtherSettings(dir: string): string {
  return `with other settings of the harness: ${playAnew(dir)} --harness.…`;
}
