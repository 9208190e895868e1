import { createHash } from 'node:crypto';
import type { Sampling } from '@vf/core';

/** What tells one rollout of a run from every other, and is the same when the run is played again. */
export interface RolloutPlace {
  readonly task: string;
  /** Of the episode at its task, from 1. */
  readonly attempt: number;
  readonly role: string;
  /** Of the role's rollouts in the episode, from 0. */
  readonly nth: number;
}

/**
 * The sampling of one rollout where `seed` is that of the run: the rollout's own seed is made from it and from the
 * rollout's place, 31 bits, so that attempts differ and a second run samples the same. Without a seed nothing changes.
 */
export function withOwnSeed(sampling: Sampling, place: RolloutPlace): Sampling {
  if (sampling.seed === undefined) return sampling;
  const { task, attempt, role, nth } = place;
  const words = JSON.stringify([sampling.seed, task, attempt, role, nth]);
  const seed = createHash('sha256').update(words).digest().readUInt32BE() >>> 1;
  return { ...sampling, seed };
}
