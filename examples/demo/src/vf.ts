import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');
/** Its package.json names the agents, so vf finds them from here. */
const project = resolve(import.meta.dirname, '..');

/** Runs one command line of vf as a person would, its output on this terminal. @returns its exit code */
export function vf(...args: readonly string[]): Promise<number> {
  process.stdout.write(`\n$ vf ${args.map((arg) => arg.replace(`${root}/`, '')).join(' ')}\n`);
  const child = spawn(
    process.execPath,
    ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js'), ...args],
    {
      stdio: 'inherit',
      env: { ...process.env, VF_PROJECT: project },
    },
  );
  // The child has the terminal's signals too; it stops cleanly and tells how with its exit code.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('exit', (code) => {
      process.off('SIGINT', ignore);
      done(code ?? 130);
    });
  });
}
