import { createHash } from 'node:crypto';

/** Ids for what an agent of this rollout sees: the same rollout id gives the same ids in the same order. */
export function idsOf(rolloutId: string): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    count++;
    const digest = createHash('sha256').update(`${rolloutId}/${count}`).digest('hex');
    return `${prefix}${digest.slice(0, 24)}`;
  };
}
