import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { vfFlags } from '../processes/vf-flags.ts';
import type { Command, Place } from './child.ts';

/** A relay in a process of its own, whose processor time can be read. */
export class MeasuredRelay {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(module: string, upstream: string): Promise<MeasuredRelay> {
    const flags = process.argv.filter((flag) => flag.startsWith('--cpu-prof'));
    const execArgv = ['--conditions=@vf/source', ...vfFlags, ...flags];
    const child = fork(new URL(module, import.meta.url), [upstream], { execArgv });
    await once(child, 'message');
    return new MeasuredRelay(child);
  }

  /** Microseconds of processor time, user and system, since the process began. */
  async cpu(): Promise<number> {
    return (await this.#ask({ ask: 'cpu' })) as number;
  }

  async open(count: number): Promise<readonly Place[]> {
    return (await this.#ask({ ask: 'open', count })) as readonly Place[];
  }

  async close(): Promise<void> {
    await this.#ask({ ask: 'close' });
  }

  stop(): void {
    this.#child.disconnect();
  }

  async #ask(command: Command): Promise<unknown> {
    this.#child.send(command);
    const [message] = (await once(this.#child, 'message')) as [{ reply: unknown }];
    return message.reply;
  }
}
