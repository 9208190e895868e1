import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@vf/core';

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
