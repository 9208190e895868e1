import type { BoxSpec, Harness, Runtime } from '@vf/core';
import type { Manner, WireDialect } from '../../scripted-model/index.ts';

export interface HarnessSuiteOptions {
  /** Where the agent runs. */
  readonly runtime: () => Runtime | Promise<Runtime>;
  /** Part of the spec of every box: config, image. */
  readonly spec?: Partial<Omit<BoxSpec, 'labels'>>;
  /** The harness's config as its user writes it. */
  readonly config?: object;
  /** The run's environment for the agent: `harness.env`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the first that the harness speaks and the scripted model knows. */
  readonly dialect?: WireDialect;
  /** The agent has a shell tool that the scripted model knows; default true. */
  readonly shell?: boolean;
  /** How the model of this agent says what the scripts of the suite say; default: as they say it. */
  readonly manner?: Manner;
  /** Most calls that one refusal may cost; default 2. */
  readonly callsPerRefusal?: number;
  /** Most characters of a prompt that the agent takes whole; default 200,000. */
  readonly longestPrompt?: number;
  /** For one test, in milliseconds, the first install included; default 120,000. */
  readonly timeoutMs?: number;
}

export type MakeHarness = () => Harness | Promise<Harness>;
