import { execFile } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, as a user's shell would: without what this repository adds to Node. */
export function ended(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<Ended> {
  const { NODE_OPTIONS: _flags, VF_PROJECT: _project, ...env } = process.env;
  return new Promise((done) => {
    execFile(
      program,
      args,
      { cwd: options.cwd, env: { ...env, ...options.env }, maxBuffer: 64 << 20, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        done({ code, stdout, stderr: code === null ? `${stderr}${error?.message}` : stderr });
      },
    );
  });
}

/** The output of a program. @throws with what it said unless it ends with 0 */
export async function exec(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<string> {
  const { code, stdout, stderr } = await ended(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
}
