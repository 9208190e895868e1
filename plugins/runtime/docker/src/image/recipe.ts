import type { ImageBuild } from '@vf/core';

/** All that decides what image comes out of a build. */
export interface Recipe extends ImageBuild {
  readonly args?: Readonly<Record<string, string>>;
  /** Stage to stop at; default: the last one. */
  readonly target?: string;
}
