/** One timer for all that must be looked at now and then; it runs only while there is something to look at. */
export class Heartbeat<Member extends { beat(now: number): void }> {
  readonly #members = new Set<Member>();
  readonly #interval: number;
  #timer: NodeJS.Timeout | null = null;

  /** @param interval milliseconds between two beats */
  constructor(interval: number) {
    this.#interval = interval;
  }

  add(member: Member): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#beat(), this.#interval).unref();
  }

  delete(member: Member): void {
    this.#members.delete(member);
    if (this.#members.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #beat(): void {
    const now = Date.now();
    for (const member of this.#members) member.beat(now);
  }
}
