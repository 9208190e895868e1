import type { SessionSpec } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { Session } from '../session/session.ts';
import { Listener } from './listener.ts';
import type { ListenerOptions } from './listener.ts';

/**
 * As many listeners as the rollouts need: a further one opens when all are full; an empty one closes unless it is the
 * only one with room, so that tunnels to it are not torn down and dug again.
 */
export class InterceptionPool {
  readonly #options: ListenerOptions;
  readonly #listeners: Listener[] = [];
  /** One listener opens at a time. */
  #opening: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#listeners.length;
  }

  /** URL of the first listener. */
  get url(): string {
    return this.#listeners[0]?.url ?? '';
  }

  /** Makes sure that there is a listener with room. @throws VfError `interception/failed` */
  async grow(): Promise<Listener> {
    const free = this.#withRoom();
    if (free !== undefined) return free;
    const listener = await Listener.open(this.#options, (released) => this.#released(released));
    this.#listeners.push(listener);
    return listener;
  }

  /** @throws VfError `interception/failed` when the pool is closed or no listener can be opened */
  open(spec: SessionSpec): Promise<Session> {
    const opened = this.#opening.then(async () => {
      if (this.#isClosed)
        throw new VfError('interception/failed', 'the interception server is closed');
      return (await this.grow()).open(spec);
    });
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close()));
  }

  /** The fullest one with room, so that the others can run empty. */
  #withRoom(): Listener | undefined {
    return this.#listeners.filter(({ room }) => room > 0).sort((a, b) => a.room - b.room)[0];
  }

  #released(listener: Listener): void {
    const isEmpty = listener.sessions.size === 0;
    const others = this.#listeners.filter((other) => other !== listener && other.room > 0);
    if (!isEmpty || others.length === 0 || this.#isClosed) return;
    this.#listeners.splice(this.#listeners.indexOf(listener), 1);
    void listener.close();
  }
}
