import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** What starts vf from its sources. */
export const vfCommand: readonly string[] = [
  process.execPath,
  '--conditions=@vf/source',
  join(root, 'apps/eval/bin/vf.js'),
];

/** `vf serve` in a process of its own. */
export class ServeProcess implements AsyncDisposable {
  readonly address: string;
  readonly #child: ChildProcess;
  #errors = '';

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#errors += bytes.toString();
      process.stderr.write(bytes);
    });
  }

  /** What it has written to stderr since it was ready. */
  get errors(): string {
    return this.#errors;
  }

  static async start(cwd: string, ...args: readonly string[]): Promise<ServeProcess> {
    const [node = '', ...rest] = vfCommand;
    const child = spawn(
      node,
      [...rest, 'serve', ...args, '--bind', 'tcp://127.0.0.1:0', '--json'],
      {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const ready = JSON.parse(line.toString()) as { readonly address: string };
    return new ServeProcess(child, ready.address);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** Sends SIGINT. @returns the exit code; null when a signal ended it */
  async stop(): Promise<number | null> {
    if (this.#child.signalCode !== null) return null;
    const exited = once(this.#child, 'exit') as Promise<[number | null]>;
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    this.#child.kill('SIGINT');
    const [code] = await exited;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
