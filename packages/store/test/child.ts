import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program in a process of its own, started by `sh` after the commands in `before`. */
export class Child {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  readonly #closed: Promise<unknown>;
  #stderr = '';

  constructor(program: URL, args: readonly string[], before = ':') {
    const path = fileURLToPath(program);
    const command = [process.execPath, '--conditions=@vf/source', '--no-warnings', path, ...args];
    this.process = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.process, 'close');
    this.process.stderr?.on('data', (data: Buffer) => (this.#stderr += data.toString()));
    if (this.process.stdout !== null) {
      createInterface(this.process.stdout).on('line', (line) => this.lines.push(line));
    }
  }

  /** Waits until the program has printed this many lines. */
  async printed(count: number): Promise<void> {
    while (this.lines.length < count) {
      if (this.process.exitCode !== null) throw new Error(`the child ended early: ${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#closed;
  }

  /** Waits for its end; the exit code. */
  async ended(): Promise<number | null> {
    await this.#closed;
    if (this.#stderr !== '') throw new Error(this.#stderr);
    return this.process.exitCode;
  }
}
