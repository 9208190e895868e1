import type { Exchange, ReadReply, Reply, Settings, TurnTokens } from '@vf/core';
import type { Follower } from '@vf/renderers';
import { EngineFailed } from './engine/engine-failed.ts';
import type { OnIds } from './engine/engine.ts';
import { streamHead } from './reply.ts';

/** A reply that can be committed. */
export interface Finished {
  readonly reply: ReadReply;
  readonly tokens: TurnTokens;
}

/** Samples until it is finished, and tells ids as they come. */
export type Sampling = (onIds: OnIds, signal: AbortSignal) => Promise<Finished>;

/**
 * A streamed reply that leaves while it is sampled, as far as the follower gives it away; the rest comes with the end.
 * Fails like a plain one as long as nothing has left, and with the dialect's error event later.
 * @throws SendFailed, EngineFailed
 */
export async function liveReply(
  { dialect, rollout }: Pick<Exchange, 'dialect' | 'rollout'>,
  settings: Settings,
  follower: Follower,
  sampling: Sampling,
  signal: AbortSignal,
): Promise<Reply> {
  const { newId, now } = rollout;
  const writer = dialect.writer({ stream: true, settings, newId, now });
  const stopped = new AbortController();
  const news = new News();
  let waiting: Uint8Array[] = [];
  const finished = sampling(
    (ids) => {
      const deltas = follower.push(ids);
      if (deltas.length === 0) return;
      waiting.push(...deltas.map((delta) => writer.delta(delta)));
      news.tell();
    },
    AbortSignal.any([signal, stopped.signal]),
  ).finally(() => news.tellLast());

  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (let isMore = true; isMore;) {
        isMore = await news.wait();
        const bytes = waiting;
        waiting = [];
        if (bytes.length > 0) yield Buffer.concat(bytes);
      }
      yield writer.end((await finished).reply);
    } catch (error) {
      if (!(error instanceof EngineFailed)) throw error;
      yield dialect.errorEvent(error.error);
    } finally {
      stopped.abort();
    }
  }

  await Promise.race([news.first, finished]);
  return { head: streamHead, body: body(), tokens: finished.then(({ tokens }) => tokens) };
}

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
