import type { Box, Runtime } from '@vf/core';

/** Remembers which boxes stand, so that they can be freed hard when there is no time left. */
export class StandingBoxes {
  readonly #boxes = new Set<Box>();

  /** The same runtime; its boxes are remembered until they are stopped. */
  watch(runtime: Runtime): Runtime {
    return {
      ...runtime,
      create: async (spec, signal) => {
        const box = await runtime.create(spec, signal);
        this.#boxes.add(box);
        const stop = box.stop.bind(box);
        box.stop = async () => {
          await stop();
          this.#boxes.delete(box);
        };
        return box;
      },
    };
  }

  /** Synchronous; what one box throws does not keep the others standing. */
  cleanup(): void {
    for (const box of this.#boxes) {
      try {
        box.cleanup();
      } catch {
        // The next start's sweep finds it.
      }
    }
    this.#boxes.clear();
  }
}
