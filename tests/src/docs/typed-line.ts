import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export interface Typed {
  readonly code: number | null;
  /** stdout and stderr as they came. */
  readonly output: string;
}

/** Runs a line of a page as a person would type it; its model calls go to `modelUrl`. */
export async function typed(
  line: string,
  cwd: string,
  modelUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const own = line.includes(' -m ') ? ['--base-url', `${modelUrl}/v1`] : [];
  const [, ...args] = line.replaceAll('"', '').split(/\s+/);
  return ran(
    process.execPath,
    ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js'), ...args, ...own],
    cwd,
    env,
  );
}

/** Runs a program in a clean environment. */
export async function ran(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}
