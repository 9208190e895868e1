/** Runs a piece of work some time after it was asked for, however often that was; never twice at once. */
export class Heartbeat {
  readonly #intervalMs: number;
  readonly #work: () => Promise<void>;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isAsked = false;
  #isStopped = false;

  /** @param work must not reject */
  constructor(intervalMs: number, work: () => Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#work = work;
  }

  ask(): void {
    this.#isAsked = true;
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#running = this.#beat();
    }, this.#intervalMs);
  }

  /** Ends it; resolves when nothing is running any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  async #beat(): Promise<void> {
    this.#isAsked = false;
    await this.#work();
    this.#timer = null;
    if (this.#isAsked) this.ask();
  }
}
