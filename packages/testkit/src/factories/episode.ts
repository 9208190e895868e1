import type { Episode } from '@vf/core';
import { makeTrace } from './trace.ts';
import type { TraceOptions } from './trace.ts';

export interface EpisodeOptions extends TraceOptions {
  /** Which attempt at the task, from 1. */
  readonly attempt?: number;
  /** Fields that differ from those of a finished episode of one trace. */
  readonly fields?: Partial<Episode>;
}

/** A finished episode of the environment `single` with one made trace. */
export function makeEpisode(options: EpisodeOptions = {}): Episode {
  const { attempt = 1, fields, ...rest } = options;
  const trace = makeTrace({ id: `rollout-${attempt}`, ...rest });
  return {
    id: `${trace.task.key}-${attempt}`,
    env: { id: 'single' },
    task: trace.task,
    attempt,
    traces: [trace],
    errors: [],
    ok: trace.ok,
    isTimeout: false,
    ...fields,
  };
}
