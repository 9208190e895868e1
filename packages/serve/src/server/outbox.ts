import type { Router } from 'zeromq';

export type Frames = readonly [identity: Uint8Array, id: string, kind: string, body: Uint8Array];

/** Sends one message at a time, in order, as the socket asks for. */
export class Outbox {
  readonly #socket: Router;
  readonly #onLost: (identity: Uint8Array, reason: string) => void;
  readonly #queue: Frames[] = [];
  #draining: Promise<void> | null = null;

  /** @param onLost the client is gone, and what it was sent with it */
  constructor(socket: Router, onLost: (identity: Uint8Array, reason: string) => void) {
    this.#socket = socket;
    this.#onLost = onLost;
  }

  send(frames: Frames): void {
    this.#queue.push(frames);
    this.#draining ??= this.#drain();
  }

  /** Waits until all that was given so far has left. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    for (let frames = this.#queue.shift(); frames !== undefined; frames = this.#queue.shift()) {
      try {
        await this.#socket.send([...frames]);
      } catch (error) {
        this.#onLost(frames[0], error instanceof Error ? error.message : String(error));
      }
    }
    this.#draining = null;
  }
}
