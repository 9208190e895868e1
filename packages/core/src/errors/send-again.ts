import { SendFailed } from './send-failed.ts';

/** Sockets of one server that may have been closed at the same time. */
const most = 3;

/**
 * Sends a call once more, some times, when it went out on a kept connection that the server had closed by then and so
 * never heard. Servers do so without a word: llama.cpp behind each stream, others after seconds of silence.
 * @throws what `send` throws otherwise
 */
export async function sendAgain<T>(send: () => Promise<T>): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await send();
    } catch (error) {
      if (again === most || !wasUnheard(error)) throw error;
    }
  }
}

/** As undici tells it: what came over a socket before it ended, where this call has no answer. */
function wasUnheard(error: unknown): boolean {
  if (!SendFailed.isInstance(error) || error.code !== 'reset') return false;
  const { cause } = error as { cause?: { code?: string; socket?: { bytesRead?: number } } };
  return cause?.code === 'EPIPE' || (cause?.socket?.bytesRead ?? 0) > 0;
}
