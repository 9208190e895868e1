import type { ExecOptions, ProgramResult, RuntimeApi } from '@vf/core';
import { expect } from 'vitest';

/** Runs a shell script in the box; `args` are its `$1`, `$2`, …. */
export function sh(
  box: RuntimeApi,
  script: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<ProgramResult> {
  return box.run(['sh', '-c', script, 'sh', ...args], options);
}

/** What the script prints, without its last newline. Fails when it does not exit with 0. */
export async function output(
  box: RuntimeApi,
  script: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<string> {
  const result = await sh(box, script, args, options);
  expect(result, result.stderr).toMatchObject({ exitCode: 0 });
  return result.stdout.replace(/\n$/, '');
}

// A killed process that nobody waits for stays visible as a zombie, which is dead enough.
const states = `for pid in "$@"; do
  if [ -r /proc/self/stat ]; then state=$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)
  else state=$(ps -o stat= -p "$pid" 2>/dev/null); fi
  case "$state" in ''|Z*|X*) ;; *) echo "$pid" ;; esac
done`;

/** Which of these processes of the box still run. */
export async function running(box: RuntimeApi, pids: readonly string[]): Promise<string[]> {
  const text = await output(box, states, pids);
  return text === '' ? [] : text.split('\n');
}

/** Waits until none of these processes of the box runs. */
export async function allGone(box: RuntimeApi, pids: readonly string[]): Promise<void> {
  await expect.poll(() => running(box, pids), { timeout: 10_000 }).toEqual([]);
}

/** Waits until a program has written so many process ids into a file, and gives them. */
export async function pidsIn(box: RuntimeApi, file: string, count: number): Promise<string[]> {
  const read = async (): Promise<string[]> => {
    const text = await output(box, 'cat "$1" 2>/dev/null || true', [file]);
    return text.split('\n').filter((line) => line !== '');
  };
  await expect.poll(read, { timeout: 10_000 }).toHaveLength(count);
  return read();
}

/** Is a process of the host gone? */
export function isGoneOnHost(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
}

/** Kills a process of the host, if it is there: what a runtime at fault left must not outlive the suite. */
export function killOnHost(pid: string): void {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It is gone, as it should be.
  }
}
