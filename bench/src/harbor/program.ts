import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { VfError } from '@vf/core/errors';

export interface Spent {
  /** Seconds on the clock. */
  readonly wall: number;
  /** Seconds of processor time, of the program and all that it waited for. */
  readonly cpu: number;
  /** Highest resident size of the program itself, bytes. */
  readonly peak: number;
  readonly pid: number;
}

const pollMs = 100;
const shownOutput = 2000;

/** Runs a program to its end. @throws VfError runtime/exec_failed when it ends with an error, with its last words */
export async function spentBy(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Spent> {
  const start = performance.now();
  // The shell says which pid the program has, and what all of it used.
  const script = '"$@" & echo "pid $!"; wait $!; code=$?; times; exit $code';
  const child = spawn('bash', ['-c', script, 'bash', ...argv], { cwd, env });
  let said = '';
  let words = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  let peak = 0;
  const closed = once(child, 'close');
  const pidSaid = () => /^pid (\d+)$/m.exec(said)?.[1];
  while (child.exitCode === null) {
    await Promise.race([sleep(pollMs), closed]);
    peak = Math.max(peak, residentOf(pidSaid()));
  }
  await closed;
  const wall = (performance.now() - start) / 1000;
  if (child.exitCode !== 0)
    throw new VfError(
      'runtime/exec_failed',
      `${argv.join(' ')} ended with ${child.exitCode}:\n${`${said}${words}`.trim().slice(-shownOutput)}`,
    );
  return { wall, cpu: childrenTime(said), peak, pid: Number(pidSaid()) };
}

/** From /proc, Linux only; 0 once the program is gone. */
function residentOf(pid: string | undefined): number {
  if (pid === undefined) return 0;
  try {
    const [, kB = 0] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kB) * 1024;
  } catch {
    return 0;
  }
}

/** The last line of `times`: user and system time of what has ended. */
function childrenTime(said: string): number {
  const last = said.trim().split('\n').at(-1) ?? '';
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
