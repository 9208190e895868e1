import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

const TAIL = 4000;

/** A program that leads its own process group, so that it can be ended with all it started. */
export interface ProcessGroup {
  readonly pid: number;
  /** what it wrote to stderr last, at most 4,000 characters */
  tail(): string;
  /** the first line of stdout; null when the program ends without one */
  firstLine(): Promise<string | null>;
  /** resolves with the exit code, null after a signal; never rejects */
  readonly exited: Promise<number | null>;
  /** lets this process end, and the program with it, when nothing else is left to do */
  unref(): void;
  /** kills the whole group and waits until its leader is gone; may be called at any time */
  end(): Promise<void>;
}

/**
 * Starts a program with a pipe for stdin, which closes when this process ends in whatever way. The
 * group is killed when this process exits or the signal fires.
 *
 * @throws the spawn error, such as ENOENT
 */
export async function startGroup(
  argv: readonly string[],
  signal: AbortSignal,
): Promise<ProcessGroup> {
  signal.throwIfAborted();
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  const { pid } = await spawned(child);
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL);
  });
  const kill = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  };
  process.once('exit', kill);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(
    () => {
      process.removeListener('exit', kill);
      signal.removeEventListener('abort', kill);
    },
  );
  const line = firstLineOf(child);
  return {
    pid,
    tail: () => tail.trim(),
    firstLine: () => line,
    exited,
    unref: () => setRef(child, 'unref'),
    end: async () => {
      setRef(child, 'ref');
      kill();
      await exited;
    },
  };
}

function spawned(child: ChildProcess): Promise<{ pid: number }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve({ pid: child.pid });
    });
  });
}

function firstLineOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
    child.once('close', () => resolve(null));
  });
}

function setRef(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]();
  for (const stream of child.stdio) if (stream instanceof Socket) stream[how]();
}
