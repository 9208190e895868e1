import type { Message, Trace } from '@vf/core';

type Position = ReturnType<Trace['graph']['start']>;

/** Replies of an agent that asks no model, turn after turn of one conversation. */
export class Spoken {
  readonly #trace: Trace;
  #at: Position | null = null;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /**
   * @param prompt copied: who said it may say the next turn with the same objects
   * @param now Unix seconds
   */
  add(prompt: string | readonly Message[], reply: string, now: number): void {
    const { graph } = this.#trace;
    const from = this.#at ?? graph.start([]);
    const said: readonly Message[] =
      typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
    const { reply: node } = graph.commit(
      from,
      structuredClone(said).map((message) => ({ said: message })),
      { message: { role: 'assistant', content: reply } },
      { timestamp: now },
    );
    this.#at = { ...from, node };
  }
}
