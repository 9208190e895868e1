import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the server at this URL says that it can take requests. */
export async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/health`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/**
 * Asks again and again until `ready` has a value; ends with the signal's reason when that fires.
 */
export async function until<T>(
  ready: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const value = await ready();
    if (value !== undefined) return value;
    await sleep(100, undefined, { signal });
  }
}
