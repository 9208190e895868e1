import type { Dialect } from '@vf/core';
import type { EpisodePlan, TaskInstance } from '@vf/rollout';
import type { RunConfig } from '../config/run-config.ts';
import type { Images } from './check-boxes.ts';
import type { Provider } from './providers.ts';
import type { PlannedSideModel } from './side-models.ts';
import type { UsedPlugin } from './used-plugin.ts';

/** Everything a run needs, checked; nothing has been started. */
export interface RunPlan {
  readonly config: RunConfig;
  readonly episode: Omit<EpisodePlan, 'run'>;
  readonly tasks: readonly TaskInstance[];
  /** As far as they were known when the plan was made. */
  readonly images: Images;
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
