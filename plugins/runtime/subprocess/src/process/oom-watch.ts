import { readFileSync } from 'node:fs';

/** Tells, as well as Linux lets us, whether a killed program was killed for want of memory. */
export class OomWatch {
  #before = oomKills();

  /** `signal`, or exit code 137 of a shell, was not ours: has the kernel killed for memory since we last looked? */
  blames(ending: { readonly exitCode: number | null; readonly signal: string | null }): boolean {
    if (ending.signal !== 'SIGKILL' && ending.exitCode !== 137) return false;
    const now = oomKills();
    const blamed = now > this.#before;
    this.#before = now;
    return blamed;
  }
}

/** The kernel's count since boot; 0 where it does not say. */
function oomKills(): number {
  if (process.platform !== 'linux') return 0;
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'));
    return Number(count?.[1] ?? 0);
  } catch {
    return 0;
  }
}
