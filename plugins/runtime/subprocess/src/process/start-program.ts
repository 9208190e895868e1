import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ErrorCode } from '@vf/core';
import { VfError } from '@vf/core/errors';

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Without it the program reads from an empty file. */
  readonly stdin: boolean;
}

/** A started program: leader of a session and process group of its own. */
export interface StartedProgram {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** @throws VfError runtime/exec_failed when the program cannot be executed */
export async function startProgram(launch: Launch): Promise<StartedProgram> {
  const [command, ...args] = launch.argv;
  if (command === undefined) throw execFailed('there is no program to run');
  try {
    const child = spawn(command, args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: [launch.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    // A program may close its stdin before all is written.
    child.stdin?.on('error', () => {});
    await spawned(child);
    return { child, pid: child.pid ?? 0 };
  } catch (error) {
    throw startError(error, launch, command);
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

function startError(error: unknown, { argv, cwd }: Launch, command: string): VfError {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'E2BIG') {
    const bytes = argv.reduce((total, word) => total + Buffer.byteLength(word) + 1, 0);
    const hint =
      'give long input by stdin or in a file; Linux takes at most 128 KiB in one argument';
    const message = `the arguments and environment of ${command} are too long for this system (${bytes} bytes of arguments)`;
    return execFailed(message, error, hint);
  }
  if (code === 'ENOENT' && !existsSync(cwd)) {
    return execFailed(`${command} cannot start in ${cwd}: there is no such folder`, error);
  }
  if (code === 'ENOENT') {
    return execFailed(`there is no program ${command}`, error, `install it, or mend PATH`);
  }
  if (code === 'EACCES') return execFailed(`${command} may not be executed here`, error);
  // Out of processes, files or memory: trying again later may help.
  const message = error instanceof Error ? error.message : String(error);
  return new VfError('runtime/exec_failed', `${command} could not be started: ${message}`, {
    cause: error,
  });
}

function execFailed(message: string, cause?: unknown, hint?: string): VfError {
  const code: ErrorCode = 'runtime/exec_failed';
  return new VfError(code, message, {
    retryable: false,
    ...(cause === undefined ? {} : { cause }),
    ...(hint === undefined ? {} : { hint }),
  });
}
