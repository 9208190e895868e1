import { SendFailed } from '@vf/core/errors';

/**
 * The engine's answer to one question of many: asked once for all who wait, who may each give up alone. What failed, or
 * was given up by all, is asked again by the next.
 */
export class ContextLength {
  readonly #question: (signal: AbortSignal) => Promise<number | null>;
  #asked: Asked | null = null;

  constructor(question: (signal: AbortSignal) => Promise<number | null>) {
    this.#question = question;
  }

  /** @throws SendFailed, EngineFailed */
  async ask(signal: AbortSignal): Promise<number | null> {
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

  #ask(): Asked {
    const stop = new AbortController();
    const answer = this.#question(stop.signal);
    const asked: Asked = { answer, stop, waiting: 0, isAnswered: false };
    answer.then(
      () => (asked.isAnswered = true),
      () => this.#drop(asked),
    );
    return asked;
  }

  #drop(asked: Asked): void {
    asked.stop.abort();
    if (this.#asked === asked) this.#asked = null;
  }
}

function aborted(signal: AbortSignal): SendFailed {
  return new SendFailed('aborted', 'the call was aborted', signal.reason);
}

interface Asked {
  readonly answer: Promise<number | null>;
  readonly stop: AbortController;
  waiting: number;
  isAnswered: boolean;
}
