import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process of this machine started, in a form that no later process of the same id shares; null
 * when there is none, `unknown` when the system does not tell. Linux: boot id and start in clock ticks
 * (proc(5), fields 3 and 22 of stat); macOS and BSD: `ps -o lstart`.
 */
export function processStart(pid: number): string | null {
  if (pid <= 0 || !isThere(pid)) return null;
  if (process.platform === 'linux') return linuxStart(pid);
  if (process.platform === 'win32') return unknownStart;
  return psStart(pid);
}

export const unknownStart = 'unknown';

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A zombie has ended: nobody can write any more. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}:${fields[19] ?? ''}`;
  } catch {
    return isThere(pid) ? unknownStart : null;
  }
}

function psStart(pid: number): string {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
    }).trim();
  } catch {
    return unknownStart;
  }
}
