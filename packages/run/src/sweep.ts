import type { Leftover, Runtime, SweepOptions } from '@vf/core';
import { toVfError } from '@vf/core/errors';
import type { VfError } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';
import type { RunPlan } from './plan/run-plan.ts';

export interface Swept {
  readonly runtime: string;
  readonly leftovers: readonly Leftover[];
  /** Why this runtime could not be swept: its engine is not there, say. */
  readonly problem: VfError | null;
}

/** Removes what killed runs left behind in every installed runtime; with `dryRun` only lists it. */
export async function sweepRuntimes(
  host: PluginHost,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<Swept[]> {
  const ids = new Set(
    host
      .list()
      .flatMap(({ kind, id, state }) =>
        kind === 'runtime' && id !== null && state === 'ok' ? [id] : [],
      ),
  );
  return Promise.all(
    [...ids].map((id) =>
      swept(id, async () => {
        const { value } = await host.load('runtime', id, signal);
        return (value as Runtime).sweep(options, signal);
      }),
    ),
  );
}

/**
 * Removes what killed runs left behind in the runtimes that a plan uses; no other is loaded for it.
 * @param begun told by each runtime how many things it is about to remove
 */
export async function sweepPlan(
  { episode }: RunPlan,
  signal: AbortSignal,
  begun: (count: number) => void = () => {},
): Promise<Swept[]> {
  const runtimes = new Map(
    Object.values(episode.roles).map(({ runtime: { id, plugin } }) => [id, plugin]),
  );
  const options: SweepOptions = { olderThanMs: 0, dryRun: false, begun };
  return Promise.all(
    [...runtimes].map(([id, plugin]) => swept(id, () => plugin.sweep(options, signal))),
  );
}

async function swept(runtime: string, sweep: () => Promise<readonly Leftover[]>): Promise<Swept> {
  try {
    return { runtime, leftovers: await sweep(), problem: null };
  } catch (error) {
    const problem = toVfError(error, 'runtime/unreachable', `runtime ${runtime}`);
    return { runtime, leftovers: [], problem };
  }
}
