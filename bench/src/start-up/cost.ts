import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';

/** Milliseconds on the clock, and of processor time in all threads. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** What a Node program costs from its start to its end. */
export function costOf(args: readonly string[], cwd: string): Cost {
  // The shell says what a child has used; Node does not.
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" >/dev/null 2>&1; } 2>&1';
  const said = execFileSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    cwd,
    encoding: 'utf8',
  });
  const [wall = 0, user = 0, system = 0] = said.trim().split(/\s+/).map(Number);
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

/** The highest resident size of a Node program, bytes. */
export function peakOf(args: readonly string[], cwd: string): number {
  const print =
    'process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';
  const program = `data:text/javascript,${encodeURIComponent(print)}`;
  const child = execFileSync(
    'bash',
    ['-c', '"$@" 2>&1 >/dev/null', 'bash', process.execPath, '--import', program, ...args],
    { cwd, encoding: 'utf8' },
  );
  return Number(child.trim()) * 1024;
}

/** Milliseconds until a Node program has ended, by the same stopwatch as `costUntil`: starting a process is in it. */
export async function clockOf(args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, args, { cwd, stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}

/** What a Node program has cost when `reached` resolves; it then runs to its end. */
export async function costUntil(
  args: readonly string[],
  cwd: string,
  reached: () => Promise<void>,
): Promise<Cost> {
  const awaited = reached();
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([
    awaited,
    ended.then(([code]) => {
      throw new Error(`node ${args.join(' ')} ended with ${String(code)} before that`);
    }),
  ]);
  const cost = { wall: performance.now() - start, cpu: cpuOf(child.pid ?? 0) };
  await ended;
  return cost;
}

/** From /proc, Linux only: first field of schedstat(5), nanoseconds on a processor, of each thread. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}
