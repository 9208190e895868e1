import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { delimiter, dirname, join } from 'node:path';

/** The environment server of verifiers, one worker, in a Python that has it. */
export class PeerServer {
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, address: string) {
    this.#child = child;
    this.#lines = lines;
    this.address = address;
  }

  static async start(python: string, maxConcurrent: number): Promise<PeerServer> {
    const here = import.meta.dirname;
    const path = `${dirname(python)}${delimiter}${process.env['PATH'] ?? ''}`;
    const child = spawn(python, [join(here, 'verifiers_server.py'), String(maxConcurrent)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, PATH: path, PYTHONPATH: here },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { address } = await next<{ address: string }>(lines);
    return new PeerServer(child, lines, address);
  }

  /** Microseconds of processor time so far, with those of the programs that it ran. */
  async cpu(): Promise<number> {
    this.#child.stdin?.write('\n');
    return (await next<{ cpu: number }>(this.#lines)).cpu;
  }

  stop(): void {
    this.#child.kill('SIGINT');
  }
}

async function next<T>(lines: AsyncIterator<string>): Promise<T> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error('the environment server of verifiers ended');
  return JSON.parse(value) as T;
}
