import { SendFailed } from '@vf/core/errors';
import type { Engine, Sample } from './engine.ts';

/** Rollouts whose replica is remembered; the one longest unheard of is forgotten first. */
const remembered = 10_000;

/**
 * Several servers of one model as one engine. A rollout's calls stay on one of them, whose cache holds its past; new
 * rollouts go round. When a server does not answer, its rollouts move on to the next with their next attempt.
 */
export function replicas(engines: readonly [Engine, ...Engine[]]): Engine {
  const pins = new Map<string, number>();
  let next = 0;
  const pinOf = (session: string): number => {
    const pinned = pins.get(session) ?? next++ % engines.length;
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
        return await (engines[pin] ?? engines[0]).sample(request, signal, onIds);
      } catch (error) {
        const isGone = SendFailed.isInstance(error) && error.code !== 'aborted';
        if (isGone) pins.set(request.session, (pin + 1) % engines.length);
        throw error;
      }
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}
