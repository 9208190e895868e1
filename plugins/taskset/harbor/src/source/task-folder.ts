/** A folder with a `task.toml`. */
export interface TaskFolder {
  /** Unique among those of a taskset. */
  readonly key: string;
  /** Absolute. */
  readonly dir: string;
}
