import { execFile } from 'node:child_process';

export interface Ended {
  /** null when it could not be started or was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const mostOutput = 64 << 20;

/** Runs a program to its end; what it answers is for the caller to judge. @throws when `signal` is aborted */
export async function runProgram(
  argv: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<Ended> {
  const [program, ...args] = argv;
  const ended = await new Promise<Ended>((done) => {
    execFile(
      program,
      args,
      { ...options, env: cleanEnv(), maxBuffer: mostOutput, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        const words = error !== null && code === null ? error.message : stderr;
        done({ code, stdout, stderr: words });
      },
    );
  });
  options.signal.throwIfAborted();
  return ended;
}

/** The user's own, but for what would lead vf or Node elsewhere than into the package as published. */
function cleanEnv(): NodeJS.ProcessEnv {
  const { VF_PROJECT: _project, NODE_OPTIONS: _options, ...env } = process.env;
  return { ...env, VF_CONFIG: '', NO_COLOR: '1' };
}

/** The last lines that say something, for a message. */
export function lastWords({ stdout, stderr }: Ended): string {
  const lines = spoken(stderr);
  return (lines.length === 0 ? spoken(stdout) : lines).slice(-6).join('\n    | ');
}

/** The last lines of a script that a package manager ran: a compiler complains on stdout, the manager on stderr. */
export function lastWordsOfScript({ stdout, stderr }: Ended): string {
  return [...spoken(stdout).slice(-12), ...spoken(stderr).slice(-6)].join('\n    | ');
}

function spoken(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
