import type { ImageBuild, NetworkPolicy } from '@vf/core';
import type {
  ArtifactEntry,
  Healthcheck,
  Machine,
  TaskConfig,
  Verifier,
} from '../format/schema.ts';

/** Where a machine's image comes from. */
export type ImageSource = { readonly image: string } | { readonly build: ImageBuild };

/** A task as its folder tells it. Paths are absolute ones of the host, times are in seconds as in `task.toml`. */
export interface HarborTask {
  readonly dir: string;
  /** `org/name`, else the folder's name. */
  readonly name: string;
  readonly config: TaskConfig;
  readonly image: ImageSource;
  /** The folder that is sent to the working directory of a ready image; null where it is a build context. */
  readonly environmentFiles: string | null;
  /** Who the image's programs run as when `[agent].user` names another; null for the image's own. */
  readonly imageUser: string | null;
  readonly isMultiStep: boolean;
  /** One without a name for a task that has no steps. */
  readonly steps: readonly TaskStep[];
  /** Dotted paths of keys that mean nothing to Harbor. */
  readonly unknown: readonly string[];
}

export interface TaskStep {
  readonly name: string | null;
  readonly instruction: string;
  /** null: no limit. */
  readonly agentTimeout: number | null;
  readonly agentNetwork: NetworkPolicy;
  /** Sent to the working directory before the agent starts. */
  readonly workdirFiles: string | null;
  /** Of this step alone; that of the environment runs once, before the first. */
  readonly healthcheck: Healthcheck | null;
  /** The folder with `solve.sh`. */
  readonly solution: string | null;
  readonly collect: Verifier['collect'];
  readonly artifacts: readonly ArtifactEntry[];
  readonly verifier: StepVerifier;
  /** What keys must reach for the steps after it to be played. */
  readonly minReward: Readonly<Record<string, number>>;
}

export interface StepVerifier {
  readonly timeout: number;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | number | null;
  readonly network: NetworkPolicy;
  /** Sent to /tests, later ones over earlier ones. */
  readonly tests: readonly string[];
  /** The machine to grade on when it is not the agent's. */
  readonly separate: { readonly image: ImageSource; readonly machine: Machine } | null;
}
