export interface ConfigInputs {
  readonly cwd: string;
  /** `@` files from left to right. */
  readonly files: readonly string[];
  readonly flags: readonly FlagValue[];
  /** Values that stand below every file: from variables of the environment, none of which changes what is measured. */
  readonly defaults?: readonly FlagValue[];
  /** The user's own file, when there is one. */
  readonly userFile: string | null;
}

export interface FlagValue {
  /** As typed, for messages: `--sampling.temperature`. */
  readonly flag: string;
  readonly path: readonly string[];
  /** undefined takes a lower layer's value away. */
  readonly value: unknown;
  /** The value as typed, for keys that turn out to be text. */
  readonly text: string | null;
}
