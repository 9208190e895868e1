import { removeSync } from './remove-sync.ts';

/** A box that stands: its engine, its containers and its compose projects. */
export interface Standing {
  readonly address: string;
  containerIds(): readonly string[];
  projects(): readonly string[];
}

const standing = new Set<Standing>();

/** Removes the box's containers when this process exits before the box was stopped. */
export function removeAtExit(box: Standing): void {
  if (standing.size === 0) process.on('exit', removeAll);
  standing.add(box);
}

export function forgetAtExit(box: Standing): void {
  if (standing.delete(box) && standing.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  const byEngine = Map.groupBy(standing, ({ address }) => address);
  for (const [address, boxes] of byEngine) removeSync(address, boxes);
}
