import type { CallError, Delta, Exchange, ReadReply, Reply, Settings, TurnTokens } from '@vf/core';
import { AbortListener } from '@vf/core/life';
import { EngineFailed } from './engine/engine-failed.ts';
import { streamHead } from './reply.ts';

/** A reply that can be committed. */
export interface Finished {
  readonly reply: ReadReply;
  readonly tokens: TurnTokens;
}

/** Samples until it is finished, and tells what is certain of the reply as it comes. */
export type Sampling = (
  onDeltas: (deltas: readonly Delta[]) => void,
  signal: AbortSignal,
) => Promise<Finished>;

/**
 * A streamed reply that leaves while it is sampled, as far as it is certain; the rest comes with the end.
 * Fails like a plain one as long as nothing has left, and with the dialect's error event later.
 * @throws SendFailed, EngineFailed
 */
export async function liveReply(
  { dialect, rollout }: Pick<Exchange, 'dialect' | 'rollout'>,
  settings: Settings,
  sampling: Sampling,
  signal: AbortSignal,
): Promise<Reply> {
  const { newId, now } = rollout;
  const writer = dialect.writer({ stream: true, settings, newId, now });
  const stopped = new AbortController();
  const stop = (): void => stopped.abort(signal.reason);
  if (signal.aborted) stop();
  const listener = signal.aborted ? null : new AbortListener(signal, { abort: stop });
  const news = new News();
  let waiting: Uint8Array[] = [];
  let isOver = false;
  const finished = sampling((deltas) => {
    if (deltas.length === 0) return;
    for (const delta of deltas) waiting.push(writer.delta(delta));
    news.tell();
  }, stopped.signal).finally(() => {
    isOver = true;
    listener?.release();
    news.tellLast();
  });

  let failure: CallError | null = null;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield nothing;
      for (let isMore = true; isMore;) {
        isMore = await news.wait();
        const bytes = waiting;
        waiting = [];
        if (bytes.length > 0) yield Buffer.concat(bytes);
      }
      yield writer.end((await finished).reply);
    } catch (error) {
      if (!(error instanceof EngineFailed)) throw error;
      failure = error.error;
      yield dialect.errorEvent(error.error);
    } finally {
      // An abort writes down where it happened, which takes time.
      if (!isOver) stopped.abort();
    }
  }

  await Promise.race([news.first, finished]);
  const tokens = finished.then((whole) => whole.tokens);
  const bytes = body();
  // One that has not begun would end without a word when nobody reads it.
  await bytes.next();
  return { head: streamHead, body: bytes, tokens, failure: () => failure };
}

const nothing = new Uint8Array();

/** Wakes the one who waits when there is something new, and says when there will be no more. */
class News {
  readonly first: Promise<void>;
  #isFirst: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #isNew = false;
  #isLast = false;

  constructor() {
    this.first = new Promise((resolve) => (this.#isFirst = resolve));
  }

  tell(): void {
    this.#isNew = true;
    this.#isFirst();
    this.#wake();
  }

  tellLast(): void {
    this.#isLast = true;
    this.#wake();
  }

  /** @returns whether more may come */
  async wait(): Promise<boolean> {
    if (!this.#isNew && !this.#isLast) await new Promise<void>((wake) => (this.#wake = wake));
    this.#isNew = false;
    return !this.#isLast;
  }
}
