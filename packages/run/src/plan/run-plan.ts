import type { Dialect } from '@vf/core';
import type { EpisodePlan, TaskInstance } from '@vf/rollout';
import type { RunConfig } from '../config/run-config.ts';
import type { Provider } from './providers.ts';
import type { PlannedSideModel } from './side-models.ts';

/** A plugin as it was resolved. */
export interface UsedPlugin {
  readonly kind: string;
  readonly id: string;
  /** null for one given as a path. */
  readonly package: string | null;
  readonly version: string | null;
}

/** Everything a run needs, checked; nothing has been started. */
export interface RunPlan {
  readonly config: RunConfig;
  readonly episode: Omit<EpisodePlan, 'run'>;
  readonly tasks: readonly TaskInstance[];
  /** Judges and simulated users. */
  readonly sideModels: readonly PlannedSideModel[];
  readonly dialects: readonly Dialect[];
  readonly providers: Readonly<Record<string, Provider>>;
  readonly plugins: readonly UsedPlugin[];
  /** `<taskset>--<model>--<harness>`, safe for a path. */
  readonly folderName: string;
  /** What the plan changed on its own: `runtime docker (3 tasks name an image)`. */
  readonly notes: readonly string[];
  /** Closes clients. */
  close(): Promise<void>;
}
