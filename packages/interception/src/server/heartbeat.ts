import { UnderWay } from '@vf/core/life';
import type { Leave } from '@vf/core/life';

/** One timer for all that must be looked at now and then; it runs only while there is something to look at. */
export class Heartbeat<Member extends { beat(now: number): void }> {
  readonly #members = new UnderWay<Member>();
  readonly #interval: number;
  #timer: NodeJS.Timeout | null = null;

  /** @param interval milliseconds between two beats */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** @returns what ends it for this member */
  add(member: Member): Leave {
    const leave = this.#members.add(member);
    this.#timer ??= setInterval(() => this.#beat(), this.#interval).unref();
    return () => {
      leave();
      if (!this.#members.isEmpty || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #beat(): void {
    const now = Date.now();
    for (const member of this.#members) member.beat(now);
  }
}
