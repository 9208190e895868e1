import { bearerId, isBearer } from './bearer.ts';
import type { Bearer } from './bearer.ts';
import type { Session } from './session.ts';

/** Rollouts that are over are remembered up to this number, so that stragglers hear so instead of a 401. */
const mostClosed = 1024;

/** What a secret opens: a session, a rollout that is over, or nothing. */
export type Opened = Session | 'over' | null;

/** The sessions of one server by their bearers. */
export class SessionRegistry {
  readonly #open = new Map<string, Session>();
  readonly #closed = new Map<string, Bearer>();

  get size(): number {
    return this.#open.size;
  }

  add(session: Session): void {
    this.#open.set(session.bearer.id, session);
  }

  /** Takes the bearer away. */
  remove({ bearer }: Session): void {
    if (!this.#open.delete(bearer.id)) return;
    this.#closed.set(bearer.id, bearer);
    if (this.#closed.size <= mostClosed) return;
    const [oldest] = this.#closed.keys();
    if (oldest !== undefined) this.#closed.delete(oldest);
  }

  find(secret: string): Opened {
    const id = bearerId(secret);
    if (id === null) return null;
    const session = this.#open.get(id);
    if (session !== undefined) return isBearer(secret, session.bearer) ? session : null;
    const closed = this.#closed.get(id);
    return closed !== undefined && isBearer(secret, closed) ? 'over' : null;
  }

  all(): readonly Session[] {
    return [...this.#open.values()];
  }
}
