interface Flight {
  readonly answer: Promise<string>;
  readonly signal: AbortSignal;
}

/** One piece of work per key at a time: who comes meanwhile waits for the same outcome, good or bad. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();

  /** Work that its starter gave up is done again by who still waits. @throws the signal's reason */
  async run(key: string, signal: AbortSignal, work: () => Promise<string>): Promise<string> {
    for (;;) {
      signal.throwIfAborted();
      const flight = this.#flights.get(key);
      if (flight === undefined) return this.#start(key, signal, work);
      try {
        return await flight.answer;
      } catch (error) {
        if (!flight.signal.aborted) throw error;
      }
    }
  }

  #start(key: string, signal: AbortSignal, work: () => Promise<string>): Promise<string> {
    const answer = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, { answer, signal });
    return answer;
  }
}
