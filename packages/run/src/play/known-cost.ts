/**
 * US dollars of what has a price; null where nothing that was used has one. Failed calls are free: beside rollouts of
 * unknown cost their 0 is no cost of the run.
 */
export function knownCost(cost: number, unpriced: number): number | null {
  return unpriced > 0 && cost === 0 ? null : cost;
}
