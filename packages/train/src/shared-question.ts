import { SendFailed } from '@vf/core/errors';

/**
 * A question that many have: asked once for all who wait, who may each give up alone. What failed, or was given up by
 * all, is asked again by the next.
 */
export class SharedQuestion<Answer> {
  readonly #question: (signal: AbortSignal) => Promise<Answer>;
  #asked: Asked<Answer> | null = null;

  constructor(question: (signal: AbortSignal) => Promise<Answer>) {
    this.#question = question;
  }

  /** @throws what the question fails with, SendFailed when `signal` is aborted */
  async ask(signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) throw aborted(signal);
    const asked = (this.#asked ??= this.#ask());
    if (asked.isAnswered) return asked.answer;
    const given = Promise.withResolvers<never>();
    const give = (): void => given.reject(aborted(signal));
    signal.addEventListener('abort', give, { once: true });
    asked.waiting++;
    try {
      return await Promise.race([asked.answer, given.promise]);
    } finally {
      signal.removeEventListener('abort', give);
      asked.waiting--;
      if (asked.waiting === 0 && !asked.isAnswered) this.#drop(asked);
    }
  }

  #ask(): Asked<Answer> {
    const stop = new AbortController();
    const answer = this.#question(stop.signal);
    const asked: Asked<Answer> = { answer, stop, waiting: 0, isAnswered: false };
    answer.then(
      () => (asked.isAnswered = true),
      () => this.#drop(asked),
    );
    return asked;
  }

  #drop(asked: Asked<Answer>): void {
    asked.stop.abort();
    if (this.#asked === asked) this.#asked = null;
  }
}

function aborted(signal: AbortSignal): SendFailed {
  return new SendFailed('aborted', 'the call was aborted', signal.reason);
}

interface Asked<Answer> {
  readonly answer: Promise<Answer>;
  readonly stop: AbortController;
  waiting: number;
  isAnswered: boolean;
}
