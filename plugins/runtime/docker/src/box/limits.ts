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

/** A limit in the runtime's options goes before the task's, which is bounded by their `max`. */
export function limitsOf(
  { resources }: Pick<BoxSpec<Config>, 'resources'>,
  config: Config,
): Limits {
  const memoryMb = config.memory_mb ?? capped(resources?.memoryMb, config.max_memory_mb);
  const cpu = config.cpu ?? capped(resources?.cpu, config.max_cpu);
  return {
    ...(memoryMb === undefined ? {} : { memory: Math.round(memoryMb * mebi) }),
    ...(cpu === undefined ? {} : { cpu }),
    gpus: resources?.gpus ?? 0,
  };
}

function capped(asked: number | undefined, most = Infinity): number | undefined {
  return asked === undefined ? undefined : Math.min(asked, most);
}
