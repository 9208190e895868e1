import { readFileSync, readdirSync } from 'node:fs';

/** Processes of this machine with `text` in their environment, by pid. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(text),
  );
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // Gone meanwhile, or another user's.
    return '';
  }
}
