import type { VfError } from '@vf/core/errors';
import type { Peer } from '../zmtp/peer.ts';

interface Underway {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** The runs of every client, queued ones too, by the id of their request. */
export class UnderwayRuns {
  readonly #byPeer = new Map<Peer, Map<string, Underway>>();

  has(peer: Peer, id: string): boolean {
    return this.#byPeer.get(peer)?.has(id) === true;
  }

  /** @param play never rejects */
  add(peer: Peer, id: string, play: (signal: AbortSignal) => Promise<void>): void {
    const runs = this.#byPeer.get(peer) ?? new Map<string, Underway>();
    this.#byPeer.set(peer, runs);
    const stop = new AbortController();
    const done = play(stop.signal).finally(() => {
      runs.delete(id);
      if (runs.size === 0) this.#byPeer.delete(peer);
    });
    runs.set(id, { stop, done });
  }

  /** @returns whether there was such a run that was not ended yet */
  end(peer: Peer, id: string, reason: VfError): boolean {
    const run = this.#byPeer.get(peer)?.get(id);
    if (run === undefined || run.stop.signal.aborted) return false;
    run.stop.abort(reason);
    return true;
  }

  /** Ends what a client has under way. @returns how many */
  endOf(peer: Peer, reason: VfError): number {
    const ids = [...(this.#byPeer.get(peer)?.keys() ?? [])];
    return ids.filter((id) => this.end(peer, id, reason)).length;
  }

  /** Ends all, and waits until they are cleaned up. */
  async endAll(reason: VfError): Promise<void> {
    const runs = [...this.#byPeer.values()].flatMap((one) => [...one.values()]);
    for (const { stop } of runs) stop.abort(reason);
    await Promise.all(runs.map(({ done }) => done));
  }
}
