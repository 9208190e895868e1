import type { z } from 'zod';
import type { EpisodeRecord } from '../trace/record.ts';

/** Writes a run's episodes for another program. `write` gets a folder or file path that does not exist yet. */
export interface Export<Config = any> {
  readonly kind: 'export';
  readonly specVersion: 1;
  readonly id: string;
  readonly config?: z.ZodType<Config, any>;
  write(a: {
    readonly episodes: AsyncIterable<EpisodeRecord>;
    readonly path: string;
    readonly config: Readonly<Config>;
    readonly signal: AbortSignal;
  }): Promise<{ readonly written: number }>;
}
