import type { BoxSpec } from '@vf/core';
import type { Config } from '../config.ts';

const mebi = 1024 * 1024;

/** Bounds of a box; absent ones are none. */
export interface Limits {
  /** Bytes, without swap. */
  readonly memory?: number;
  /** Cores. */
  readonly cpu?: number;
  readonly gpus: number;
}

/** A limit in the runtime's options goes before the task's. */
export function limitsOf({ resources }: BoxSpec<Config>, config: Config): Limits {
  const memoryMb = config.memory_mb ?? resources?.memoryMb;
  const cpu = config.cpu ?? resources?.cpu;
  return {
    ...(memoryMb === undefined ? {} : { memory: Math.round(memoryMb * mebi) }),
    ...(cpu === undefined ? {} : { cpu }),
    gpus: resources?.gpus ?? 0,
  };
}
