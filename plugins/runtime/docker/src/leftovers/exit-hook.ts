import { removeSync } from './remove-sync.ts';
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

function removeAll(): void {
  const byEngine = Map.groupBy(standing, ({ address }) => address);
  for (const [address, boxes] of byEngine) removeSync(address, boxes);
}
