import type { z } from 'zod';
import type { EpisodeRecord } from '../trace/record.ts';

/** A trace, or a whole episode, that the other program cannot take. */
export interface Omission {
  readonly episode: string;
  /** Key of its task, and which attempt at it, from 1. */
  readonly task: string;
  readonly attempt: number;
  /** Absent for a whole episode. */
  readonly trace?: string;
  /** Name of the trace's agent. */
  readonly agent?: string;
  /** Why, in the same words for all that lack the same. */
  readonly reason: string;
  /** What this one lacks: which nodes, which value. */
  readonly detail?: string;
}

/** What an export is asked to write. */
export interface ExportRequest<Config = any> {
  /** One at a time; an exporter keeps none of them longer than it needs. */
  readonly episodes: AsyncIterable<EpisodeRecord>;
  /** A file or folder that does not exist yet. It is there whole at the end, or not at all. */
  readonly path: string;
  readonly config: Readonly<Config>;
  readonly signal: AbortSignal;
  /** Says what is left out; never silent, never a made-up value in its place. */
  readonly omit: (omission: Omission) => void;
}

/** What an export has written. */
export interface Exported {
  /** How many rows, documents or episodes are in it. */
  readonly written: number;
  /** What they are, in the plural; default `rows`. */
  readonly unit?: string;
}

/** Writes a run's episodes for another program. */
export interface Export<Config = any> {
  readonly kind: 'export';
  readonly specVersion: 1;
  readonly id: string;
  readonly config?: z.ZodType<Config, any>;
  /** Does it take traces with exact tokens alone? Then a run without any is refused before options are asked for. */
  readonly needsTokens?: boolean;
  write(request: ExportRequest<Config>): Promise<Exported>;
}
