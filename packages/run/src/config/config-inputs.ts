import type { z } from '@vf/core';

/**
 * The schema of a plugin's options; undefined when it has none, or cannot be had: who uses the plugin says so.
 * Asked only where a flag may be meant as text.
 */
export type OptionsOf = (
  kind: 'taskset' | 'harness' | 'runtime' | 'environment',
  id: string,
) => Promise<z.ZodType | undefined>;

export interface ConfigInputs {
  readonly cwd: string;
  /** `@` files from left to right. */
  readonly files: readonly string[];
  readonly flags: readonly FlagValue[];
  /** Values that stand below every file: from variables of the environment, none of which changes what is measured. */
  readonly defaults?: readonly FlagValue[];
  /** The user's own file, when there is one. */
  readonly userFile: string | null;
  /** Without it, options of plugins keep the type that a flag's text looks like. */
  readonly optionsOf?: OptionsOf;
}

export interface FlagValue {
  /** As typed, for messages: `--sampling.temperature`. */
  readonly flag: string;
  readonly path: readonly string[];
  /** undefined takes a lower layer's value away. */
  readonly value: unknown;
  /** The value as typed, for keys that turn out to be text. */
  readonly text: string | null;
  /** Of a flag given several times, whose value is a list: each element as typed. */
  readonly texts?: readonly (string | null)[];
}
