import type { Message, NetworkPolicy, StandardFields } from '@vf/core';
import type {
  ArtifactEntry,
  Healthcheck,
  Machine,
  TaskConfig,
  Verifier,
} from '../format/schema.ts';
import type { LeavesOut } from './ignore-rules.ts';

/** Where a machine comes from: an image, or what to build it of, and the services beside it. */
export type MachineSource = Pick<StandardFields, 'image' | 'build' | 'compose'>;

export type User = string | number;

/** A task as its folder tells it. Paths are absolute ones of the host, times are in seconds as in `task.toml`. */
export interface HarborTask {
  readonly dir: string;
  /** `org/name`, else the folder's name. */
  readonly name: string;
  readonly config: TaskConfig;
  readonly machine: MachineSource;
  /** The folder that is sent to the working directory of a ready image; null where it is a build context. */
  readonly environmentFiles: string | null;
  /** Who the image's programs run as when the agent is another; null for the image's own. */
  readonly imageUser: string | null;
  /** A conversation that came before the first instruction; empty for most. */
  readonly earlier: readonly Message[];
  readonly isMultiStep: boolean;
  /** One without a name for a task that has no steps. */
  readonly steps: readonly TaskStep[];
  /** Files that stay here, by paths from `dir`. */
  readonly leavesOut: LeavesOut;
  /** Are there any such files? */
  readonly hasIgnored: boolean;
  /** Dotted paths of keys that mean nothing to Harbor. */
  readonly unknown: readonly string[];
}

export interface TaskStep {
  readonly name: string | null;
  readonly instruction: string;
  /** Who the agent works as; null for the image's own user. */
  readonly agentUser: User | null;
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
  readonly user: User | null;
  readonly network: NetworkPolicy;
  /** Sent to /tests, later ones over earlier ones. */
  readonly tests: readonly string[];
  /** The machine to grade on when it is not the agent's. */
  readonly separate: { readonly source: MachineSource; readonly machine: Machine } | null;
}
