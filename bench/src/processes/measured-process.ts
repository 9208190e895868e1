import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { vfFlags } from './vf-flags.ts';

/** Microseconds of processor time and bytes of memory of a process so far. */
export interface Used {
  readonly cpu: number;
  /** The highest resident size it ever had. */
  readonly peakBytes: number;
}

/** A module in a process of its own that answers one question after the other; see `answerQuestions`. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  /** What the module said once it was ready. */
  readonly ready: unknown;

  private constructor(child: ChildProcess, ready: unknown) {
    this.#child = child;
    this.ready = ready;
  }

  /** @param module the URL of a module that calls `answerQuestions` */
  static async start(module: URL, args: readonly string[]): Promise<MeasuredProcess> {
    const flags = process.argv.filter((flag) => flag.startsWith('--cpu-prof'));
    const child = fork(module, args, {
      execArgv: ['--conditions=@vf/source', ...vfFlags, ...flags],
    });
    const [ready] = (await once(child, 'message')) as [unknown];
    return new MeasuredProcess(child, ready);
  }

  async ask(question: unknown): Promise<unknown> {
    this.#child.send(question as object);
    const [message] = (await once(this.#child, 'message')) as [
      { answer: unknown } | { failure: string },
    ];
    if ('failure' in message) throw new Error(message.failure);
    return message.answer;
  }

  async used(): Promise<Used> {
    return (await this.ask('used')) as Used;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
