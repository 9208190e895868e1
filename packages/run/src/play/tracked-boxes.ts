import type { Box, Runtime } from '@vf/core';

/** Remembers which boxes stand, so that they can be freed hard when there is no time left. */
export class StandingBoxes {
  readonly #boxes = new Map<Box, Runtime>();
  readonly #runtimes = new Set<Runtime>();
  #making = 0;
  #kept = 0;

  /** Boxes that stand or are being made. */
  get count(): number {
    return this.#boxes.size + this.#making;
  }

  /** Boxes that stay for a person. */
  get kept(): number {
    return this.#kept;
  }

  /** The same runtime; its boxes are remembered until they are stopped or kept. */
  watch(runtime: Runtime): Runtime {
    return {
      ...runtime,
      create: async (spec, signal) => {
        this.#runtimes.add(runtime);
        this.#making += 1;
        const box = await runtime.create(spec, signal).finally(() => {
          this.#making -= 1;
        });
        this.#boxes.set(box, runtime);
        const stop = box.stop.bind(box);
        box.stop = async () => {
          await stop();
          this.#boxes.delete(box);
        };
        const keep = box.keep?.bind(box);
        if (keep === undefined) return box;
        box.keep = async () => {
          const entry = await keep();
          this.#boxes.delete(box);
          this.#kept += 1;
          return entry;
        };
        return box;
      },
    };
  }

  /**
   * Synchronous; what one box throws does not keep the others standing.
   * @returns how many boxes are left for the next start's sweep; null when that cannot be told
   */
  cleanup(): number | null {
    let left: number | null = 0;
    const count = (of: number | null): void => {
      left = left === null || of === null ? null : left + of;
    };
    for (const runtime of this.#runtimes) {
      if (runtime.cleanup !== undefined) count(attempt(() => runtime.cleanup?.() ?? null, null));
    }
    for (const [box, runtime] of this.#boxes) {
      if (runtime.cleanup !== undefined) continue;
      count(attempt(() => (box.cleanup(), 0), 1));
    }
    this.#boxes.clear();
    this.#runtimes.clear();
    return left;
  }
}

function attempt<Value>(work: () => Value, failed: Value): Value {
  try {
    return work();
  } catch {
    return failed;
  }
}
