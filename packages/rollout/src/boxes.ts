import { join } from 'node:path';
import type { Box } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { TaskBoxSpec } from './box-spec.ts';
import type { RolePlan, Services } from './plan.ts';

/** The boxes of one episode: freed together, newest first, whatever happens. */
export class Boxes {
  readonly #boxes: { readonly box: Box; kept: ((entry: string) => void) | null }[] = [];

  /** Provisions a box; what is aborted half-way is freed by the runtime itself. */
  async open(
    role: RolePlan,
    spec: TaskBoxSpec,
    rolloutId: string,
    services: Services,
    signal: AbortSignal,
  ): Promise<Box> {
    const { plugin, config, id } = role.runtime;
    const dir = spec.compose === undefined ? null : services.artifactDir(rolloutId);
    const logDir = dir === null ? {} : { logDir: join(dir, 'services') };
    try {
      const labels = services.labels(rolloutId);
      const warn = (message: string): void => services.log(rolloutId).warn(message);
      const box = await plugin.create({ ...spec, ...logDir, config, labels, warn }, signal);
      this.#boxes.push({ box, kept: null });
      return box;
    } catch (error) {
      throw toVfError(error, 'runtime/boot_failed', `${id} could not provision a box`);
    }
  }

  /** The box behind a runtime that a hook or an environment hands back to us. */
  find(runtime: { readonly id: string }): Box {
    const known = this.#boxes.find(({ box }) => box === runtime || box.id === runtime.id);
    if (known !== undefined) return known.box;
    throw new VfError('internal/unexpected', `runtime ${runtime.id} is no box of this episode`);
  }

  /** Leaves a box standing until `vf cleanup`. @param kept told how a person gets into it, once it is known */
  keep(box: Box, kept: (entry: string) => void): void {
    const known = this.#boxes.find((entry) => entry.box === box);
    if (known !== undefined) known.kept = kept;
  }

  /** @returns what went wrong while freeing; the others are freed all the same */
  async close(): Promise<readonly unknown[]> {
    const going = this.#boxes.splice(0).toReversed();
    const results = await Promise.allSettled(
      going.map(({ box, kept }) => (kept === null ? box.stop() : keepOrStop(box, kept))),
    );
    return results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
  }
}

/** One that cannot be kept is freed. */
async function keepOrStop(box: Box, kept: (entry: string) => void): Promise<void> {
  try {
    if (box.keep === undefined) throw new Error('its runtime keeps no boxes');
    kept(await box.keep());
  } catch (error) {
    await box.stop();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`box ${box.id} was freed and not kept: ${why}`, { cause: error });
  }
}
