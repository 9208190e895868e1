import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';

const repository = resolve(import.meta.dirname, '../../..');
const bin = join(repository, 'apps/eval/bin/vf.js');

/** The taskset of the repository that needs no package around it. */
export const addition = join(repository, 'examples/addition/addition.ts');

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running `vf`; `done` resolves when it has ended and its output is read. */
export interface RunningCli {
  readonly process: ChildProcess;
  readonly done: Promise<CliResult>;
  /** Resolves with what came so far, once `text` is in stdout or stderr. */
  seen(text: string): Promise<string>;
}

/** Runs vf from source in a clean environment: no key, no user file. */
export function startVf(args: readonly string[], { cwd, env = {} }: CliOptions): RunningCli {
  const child = spawn(process.execPath, ['--conditions=@vf/source', bin, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  const waiting = new Set<() => void>();
  const taken = (): void => {
    for (const check of waiting) check();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    taken();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    taken();
  });
  const done = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  const seen = (text: string): Promise<string> =>
    new Promise((found, failed) => {
      const check = (): void => {
        if (!`${stdout}${stderr}`.includes(text)) return;
        waiting.delete(check);
        found(`${stdout}${stderr}`);
      };
      waiting.add(check);
      check();
      void done.then(() => failed(new Error(`ended without "${text}":\n${stdout}${stderr}`)));
    });
  return { process: child, done, seen };
}

export function vf(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startVf(args, options).done;
}

/** An empty folder outside any project; removed after the tests of the file. */
export function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vf-cli-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The lines of an NDJSON output. */
export function eventsOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
