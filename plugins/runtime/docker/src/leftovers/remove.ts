import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { isEngineGone, statusOf } from '../engine/engine-error.ts';

const attempts = 20;
const pauseMs = 100;

/** Removes a container with its anonymous volumes, whatever it does; one that is gone is fine. */
export async function removeContainer(container: Docker.Container): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await container.remove({ force: true, v: true });
      return;
    } catch (error) {
      if (statusOf(error) === 404) return;
      // 409: another removal is at it. An engine that restarts answers again soon.
      const passing = statusOf(error) === 409 || statusOf(error) === 500 || isEngineGone(error);
      if (!passing || attempt === attempts) throw error;
      await sleep(pauseMs);
    }
  }
}
