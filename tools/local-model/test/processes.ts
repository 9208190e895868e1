import { setTimeout as sleep } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits as long as it takes: the test's own limit ends it. */
export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}
