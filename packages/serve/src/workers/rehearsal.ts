import { pack } from '@vf/wire';
import type { RunEvents } from '../host/run-host.ts';
import { Scanner } from '../wire/scan.ts';

/** One try to play a run: what it brought can be called back as long as no model has answered. */
export class Rehearsal implements RunEvents {
  readonly #events: RunEvents;
  readonly #traces = new Set<string>();
  isSampled = false;

  constructor(events: RunEvents) {
    this.#events = events;
  }

  delta(body: Uint8Array): void {
    if (!this.isSampled) this.#traces.add(traceOf(body));
    this.#events.delta(body);
  }

  sampled(): void {
    this.isSampled = true;
    this.#events.sampled();
  }

  noted(note: string): void {
    this.#events.noted(note);
  }

  /** Tells the client that the traces so far are void. */
  discard(): void {
    for (const trace of this.#traces) this.#events.delta(pack({ trace, discard: true }));
  }
}

/** The id of the trace that a delta is of: its first field. */
function traceOf(delta: Uint8Array): string {
  const scanner = new Scanner(delta);
  scanner.next();
  scanner.next();
  const { start } = scanner.next();
  return Buffer.from(scanner.slice(start, scanner.at)).toString();
}
