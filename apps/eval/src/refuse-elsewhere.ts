import { basename } from 'node:path';
import { VfError } from '@vf/core/errors';
import { loadAbout } from './show/load-summary.ts';
import { typedRun } from './typed.ts';

/** Nothing here could go on with what a program of its own played. @throws VfError usage/invalid */
export async function refuseElsewhere(dir: string): Promise<void> {
  if ((await loadAbout(dir)).elsewhere !== true) return;
  const name = typedRun(dir, basename(dir));
  throw new VfError('usage/invalid', `${name} was played by a program of its own, not by vf`, {
    hint: `play and score it there, into a new folder; vf show, vf compare and vf export take ${name} as it is`,
  });
}
