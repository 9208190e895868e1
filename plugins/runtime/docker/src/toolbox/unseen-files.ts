import { toolboxDir } from '@vf/runtime-kit';
import type { Engine } from '../engine/engine.ts';
import { wordsOf } from '../engine/engine-error.ts';
import { noteUnseeing } from './mounts.ts';

/** A box does not see the toolbox of this machine, though its engine is here: one in a virtual machine, say. */
export class UnseenFiles extends Error {}

/**
 * Has an engine shown that it does not see our files, by a box or by refusing to mount them? From then on it gets them
 * in a volume.
 */
export function isUnseen(engine: Engine, error: unknown): boolean {
  const words = wordsOf(error);
  const isRefused =
    /does not exist|no such file|not shared|permission denied/.test(words) &&
    words.includes(toolboxDir());
  if (!isRefused && !(error instanceof UnseenFiles)) return false;
  noteUnseeing(engine);
  return true;
}
