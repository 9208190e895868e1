import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { exampleFile } from './vf.ts';

/** One sample for the trainer; snake_case, as its Python reads it. */
export interface TrainerRow {
  readonly prompt_ids: readonly number[];
  readonly completion_ids: readonly number[];
  /** One a completion id; 1: it trains. */
  readonly mask: readonly (0 | 1)[];
  /** Of the engine, natural log; 0 where `mask` is 0. */
  readonly logprobs: readonly number[];
  /** Of each trained token, its weight in the loss included. */
  readonly advantage: number;
}

/** Logprobs of every completion id of every row, trained or not. */
export type RowLogprobs = readonly (readonly number[])[];

/** The Python process that has the weights and the optimizer. One request at a time. */
export class Trainer implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  #said = '';

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4000);
    });
  }

  /** The untrained model; it ends with this process, whose stdin it reads, and with the signal. */
  static async start(
    python: string,
    options: { readonly learningRate: number; readonly threads: number },
    signal: AbortSignal,
  ): Promise<Trainer> {
    const flags = ['--learning-rate', `${options.learningRate}`, '--threads', `${options.threads}`];
    const argv = ['-B', exampleFile('trainer/main.py'), ...flags];
    const child = spawn(python, argv, {
      signal,
      killSignal: 'SIGKILL',
      // Nothing is asked of a model hub.
      env: { ...process.env, HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1' },
    });
    child.on('error', () => undefined);
    await once(child, 'spawn');
    return new Trainer(child);
  }

  /** Writes the weights as a GGUF file. Gives its SHA-256. */
  async save(path: string): Promise<string> {
    return ((await this.#ask({ do: 'save', path })) as { sha256: string }).sha256;
  }

  async score(rows: readonly TrainerRow[]): Promise<RowLogprobs> {
    if (rows.length === 0) return [];
    return ((await this.#ask({ do: 'score', rows })) as { logprobs: RowLogprobs }).logprobs;
  }

  /** A gradient; the weights stay as they are until `step`. */
  async learn(rows: readonly TrainerRow[]): Promise<RowLogprobs> {
    if (rows.length === 0) return [];
    return ((await this.#ask({ do: 'learn', rows })) as { logprobs: RowLogprobs }).logprobs;
  }

  /** Moves the weights. Gives the norm of the gradient. */
  async step(): Promise<number> {
    return ((await this.#ask({ do: 'step' })) as { norm: number }).norm;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }

  async #ask(request: object): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { done, value } = await this.#answers.next();
    if (done === true) throw new Error(`the trainer ended:\n${this.#said}`);
    return JSON.parse(value);
  }
}
