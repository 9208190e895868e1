/** A program that comes as an npm package. */
export interface NpmProgram {
  /** How messages call it. */
  readonly name: string;
  readonly package: string;
  /** An exact one. */
  readonly version: string;
  /** Where it lies below `node_modules`, as a glob; called directly, so install scripts are not needed. */
  readonly executable: string;
  /** For a script: the exact version of Node that runs it, brought along, so that a box needs none. */
  readonly node?: string;
  /** Its build for glibc is taken in every box, even where there is one for the box's C library. */
  readonly libc?: 'glibc';
}

/** A program that comes as a Python package. */
export interface PythonProgram {
  /** How messages call it. */
  readonly name: string;
  readonly package: string;
  /** An exact one. */
  readonly version: string;
  /** The console script that the package installs. */
  readonly script: string;
  /** The oldest Python that runs it, as `3.10`. */
  readonly python: string;
}
