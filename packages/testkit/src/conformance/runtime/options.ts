import type { BoxSpec, Runtime } from '@vf/core';

/** What a runtime may lack for a reason that its documentation gives. */
export type RuntimeGap =
  /** A program that left its session outlives a timeout. */
  | 'kill-setsid'
  /** A death by signal is told as exit code 128 + n. */
  | 'signals'
  /** Host servers cannot be reached. */
  | 'reach'
  /** Ports of a box cannot be reached. */
  | 'expose';

export interface RuntimeSuiteOptions {
  /** The module whose default export is the runtime: a process of its own imports it, makes a box and is killed. */
  readonly module: URL;
  /** Part of the spec of every box: config, image, user. The box needs `sh` and the usual small programs. */
  readonly spec?: Partial<Omit<BoxSpec, 'labels'>>;
  /** Paths and process ids of a box are those of the host, so that the suite looks from outside too. */
  readonly sharesHost?: boolean;
  readonly without?: readonly RuntimeGap[];
  /** Boxes at once; default 8. */
  readonly boxes?: number;
  /** For one test, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** A user other than the default one, when the runtime offers users; default 65534. */
  readonly user?: { readonly name: string | number; readonly id: number };
}

export type MakeRuntime = () => Runtime | Promise<Runtime>;
