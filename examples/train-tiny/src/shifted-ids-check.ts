import { audit, withEarlyIds } from './audit.ts';
import type { Audit } from './audit.ts';
import { unlearnt } from './batch.ts';
import { samplesOf } from './samples.ts';
import type { Trainer } from './trainer.ts';

/** The samples of a run with ids that are one place early: an audit that is worth something refuses them. */
export async function checkShiftedIds(
  trainer: Trainer,
  run: string,
  signal: AbortSignal,
): Promise<Audit> {
  const { rows } = await samplesOf([run], signal);
  const shifted = rows.map(withEarlyIds);
  return audit(shifted, await trainer.score(shifted.map(unlearnt)));
}
