/** What a verifier reports, by key. */
export type Rewards = Readonly<Record<string, number>>;

/** Does a step reach its gate? A key that it does not report is below any. */
export function reaches(rewards: Rewards, minReward: Rewards): boolean {
  return Object.entries(minReward).every(
    ([key, least]) => valueAt(rewards, key, -Infinity) >= least,
  );
}

/**
 * The rewards of a task from those of its steps that were played: of the last one, or for each key the mean, in which
 * a step without it counts 0.
 */
export function combine(results: readonly Rewards[], strategy: 'mean' | 'final'): Rewards {
  if (strategy === 'final') return results.at(-1) ?? {};
  const keys = new Set(results.flatMap((rewards) => Object.keys(rewards)));
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      results.reduce((sum, rewards) => sum + valueAt(rewards, key, 0), 0) / results.length,
    ]),
  );
}

function valueAt(rewards: Rewards, key: string, absent: number): number {
  return Object.hasOwn(rewards, key) ? (rewards[key] ?? absent) : absent;
}
