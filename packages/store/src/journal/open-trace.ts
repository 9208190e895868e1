import type { Trace } from '@vf/core';
import { encodeTrace, encodeTurns } from '@vf/core/trace';
import type { JournalLine } from './journal-line.ts';

/** A trace in progress, and how much of it the journal has. */
export class OpenTrace {
  readonly trace: Trace;
  readonly episode: string;
  readonly #attempt: number;
  #nodes = 0;
  #calls = 0;
  #isBroken = false;

  constructor(trace: Trace, about: { readonly episode: string; readonly attempt: number }) {
    this.trace = trace;
    this.episode = about.episode;
    this.#attempt = about.attempt;
  }

  get isWritten(): boolean {
    return this.#calls > 0;
  }

  /** The line for what is new; null when nothing is. Whole when the journal's file has no line of it yet. */
  nextLine(): string | null {
    const { trace } = this;
    if (this.#isBroken || trace.calls.length === this.#calls) return null;
    return this.isWritten
      ? this.#line({ turns: encodeTurns(trace, this.#written) })
      : this.wholeLine();
  }

  /** A line that needs no earlier one; null for a graph that cannot be recorded. */
  wholeLine(): string | null {
    try {
      this.#nodes = 0;
      this.#calls = 0;
      return this.#line({ record: encodeTrace(this.trace) });
    } catch {
      // `append` refuses such a trace and says why.
      this.#isBroken = true;
      return null;
    }
  }

  /** The lines so far were not written, or their file is gone. */
  forget(): void {
    this.#nodes = 0;
    this.#calls = 0;
  }

  get #written(): { nodes: number; calls: number } {
    return { nodes: this.#nodes, calls: this.#calls };
  }

  #line(part: Pick<JournalLine, 'record' | 'turns'>): string {
    const { trace, episode } = this;
    const line: JournalLine = {
      trace: trace.id,
      episode,
      attempt: this.#attempt,
      ...this.#written,
      ...part,
    };
    this.#nodes = trace.graph.nodes.length;
    this.#calls = trace.calls.length;
    return JSON.stringify(line);
  }
}
