import type { Leftover, Runtime, SweepOptions } from '@vf/core';
import { toVfError } from '@vf/core/errors';
import type { VfError } from '@vf/core/errors';
import type { PluginHost } from '@vf/plugin-host';

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
    [...ids].map(async (id) => {
      try {
        const { value } = await host.load('runtime', id, signal);
        return {
          runtime: id,
          leftovers: await (value as Runtime).sweep(options, signal),
          problem: null,
        };
      } catch (error) {
        return {
          runtime: id,
          leftovers: [],
          problem: toVfError(error, 'runtime/unreachable', `runtime ${id}`),
        };
      }
    }),
  );
}
