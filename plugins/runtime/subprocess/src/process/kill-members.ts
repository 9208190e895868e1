import { setTimeout as sleep } from 'node:timers/promises';
import { membersOf } from './members.ts';
import type { Membership } from './members.ts';

/** A tree that starts processes faster than they are found is given up after so many looks. */
const rounds = 40;
const pauseMs = 5;

/** Kills all members and waits until none is left. */
export async function killMembers(membership: () => Membership): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if (!killOnce(membership())) return;
    await sleep(pauseMs);
  }
}

/** The same without giving up the thread: for the exit of this process. */
export function killMembersSync(membership: () => Membership): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; round < rounds; round++) {
    if (!killOnce(membership())) return;
    Atomics.wait(clock, 0, 0, pauseMs);
  }
}

function killOnce(membership: Membership): boolean {
  const pids = membersOf(membership);
  for (const pid of pids) sendSignal(pid, 'SIGKILL');
  return pids.length > 0;
}

/** Signals a process, or with a negative pid its group; one that is gone or not ours is left alone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
