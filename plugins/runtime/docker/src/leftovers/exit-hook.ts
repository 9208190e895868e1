import { removeAllSync } from './remove-sync.ts';
import type { Standing } from './standing.ts';

const standing = new Set<Standing>();

/** Removes the box's containers when this process exits before the box was stopped. */
export function removeAtExit(box: Standing): void {
  // First of all: a tunnel to the engine must not be closed before.
  if (standing.size === 0) process.prependListener('exit', removeAll);
  standing.add(box);
}

export function forgetAtExit(box: Standing): void {
  if (standing.delete(box) && standing.size === 0) process.off('exit', removeAll);
}

/** Notes that the engine at an address is making something, until the result is called. */
export function makingAt(address: string): () => void {
  const making = { address, containerIds: () => [], projects: () => [] };
  removeAtExit(making);
  return () => forgetAtExit(making);
}

/** Removes all at once without giving up the thread. @returns how many boxes are left; null when that cannot be told */
export function removeAll(): number | null {
  let left: number | null = 0;
  const byEngine = Map.groupBy(standing, ({ address }) => address);
  for (const [address, boxes] of byEngine) {
    const here = removeAllSync(address, boxes);
    left = left === null || here === null ? null : left + here;
  }
  for (const box of standing) forgetAtExit(box);
  return left;
}
