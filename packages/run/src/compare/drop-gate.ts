import type { Comparison } from '@vf/stats';

/** What `--max-drop` says of a comparison. */
export interface DropGate {
  readonly maxDrop: number;
  readonly strict: boolean;
  readonly passed: boolean;
  /** A − B; null when no task is scored in both. */
  readonly drop: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

/**
 * Fails when the interval of the drop lies wholly beyond `maxDrop`; a strict one fails unless it lies wholly within.
 * Without a task that both have scored it fails, for nothing was shown; without an interval a strict one fails.
 */
export function dropGate(
  { reward: { difference } }: Pick<Comparison, 'reward'>,
  maxDrop: number,
  strict: boolean,
): DropGate {
  const { mean, interval } = difference;
  const drop = mean === null ? null : 0 - mean;
  const ofDrop = interval === null ? null : ([0 - interval[1], 0 - interval[0]] as const);
  const passed =
    drop !== null &&
    (strict ? ofDrop !== null && ofDrop[1] <= maxDrop : ofDrop === null || ofDrop[0] <= maxDrop);
  return { maxDrop, strict, passed, drop, interval: ofDrop };
}
