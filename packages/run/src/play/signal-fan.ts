import { UnderWay } from '@vf/core/life';

/**
 * One signal handed on to many short works, each by a signal of its own. A signal looks through all its listeners
 * whenever one comes or goes, so thousands of rollouts on one would cost each of them the number of the others.
 */
export class SignalFan {
  readonly #source: AbortSignal;
  readonly #open = new UnderWay<AbortController>();

  constructor(source: AbortSignal) {
    this.#source = source;
    source.addEventListener('abort', () => this.#abort(), { once: true });
  }

  /** Runs `work` with a signal that fires with the source's reason while the work lasts. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.#source.aborted) controller.abort(this.#source.reason);
    const leave = this.#open.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      leave();
    }
  }

  #abort(): void {
    for (const controller of this.#open) controller.abort(this.#source.reason);
  }
}
