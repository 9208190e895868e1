import { SendFailed } from '@vf/core/errors';
import { EngineFailed } from './engine-failed.ts';
import type { Engine, Sample } from './engine.ts';

/** Rollouts whose replica is remembered; the one longest unheard of is forgotten first. */
const remembered = 10_000;
/** How long a server that did not answer is passed by, in ms; then one rollout or more tries it again. */
const restMs = 30_000;

/**
 * Several servers of one model as one engine. A rollout's calls stay on one of them, whose cache holds its past; new
 * rollouts go round. Where a server fails, a rollout moves on to the next with its next attempt; where it does not even
 * answer, others pass it by for half a minute, unless none is left.
 */
export function replicas(engines: readonly [Engine, ...Engine[]]): Engine {
  const pins = new Map<string, number>();
  const count = engines.length;
  const restsUntil = engines.map(() => 0);
  let next = 0;
  const awakeFrom = (first: number): number => {
    const now = performance.now();
    for (let step = 0; step < count; step++) {
      const at = (first + step) % count;
      if ((restsUntil[at] ?? 0) <= now) return at;
    }
    return first % count;
  };
  const newPin = (): number => {
    const at = awakeFrom(next);
    next = at + 1;
    return at;
  };
  const pinOf = (session: string): number => {
    const pinned = pins.get(session) ?? newPin();
    pins.delete(session);
    pins.set(session, pinned);
    const [oldest] = pins.keys();
    if (pins.size > remembered && oldest !== undefined) pins.delete(oldest);
    return pinned;
  };
  return {
    id: engines[0].id,
    contextLength: (model, signal) =>
      Promise.any(engines.map((engine) => engine.contextLength(model, signal))).catch(
        (error: AggregateError) => {
          throw error.errors[0];
        },
      ),
    async sample(request, signal, onIds): Promise<Sample> {
      const pin = pinOf(request.session);
      try {
        const sample = await (engines[pin] ?? engines[0]).sample(request, signal, onIds);
        restsUntil[pin] = 0;
        return sample;
      } catch (error) {
        const isGone = SendFailed.isInstance(error) && error.code !== 'aborted';
        if (isGone) restsUntil[pin] = performance.now() + restMs;
        if (isGone || isBroken(error)) pins.set(request.session, awakeFrom(pin + 1));
        throw error;
      }
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}

/** Has the server failed by itself, whatever it was asked? */
function isBroken(error: unknown): boolean {
  return error instanceof EngineFailed && error.error.status >= 500;
}
