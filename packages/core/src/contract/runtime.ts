import type { z } from 'zod';
import type { Box, BoxLabels, BoxSpec, NetworkPolicy } from './box.ts';

/** Makes boxes and finds those that killed processes left; `defineRuntime` returns it. */
export interface Runtime<Config = any> {
  readonly kind: 'runtime';
  readonly specVersion: 1;
  readonly id: string;
  readonly config?: z.ZodType<Config, any>;
  readonly offers: RuntimeOffers;
  create(spec: BoxSpec<Config>, signal: AbortSignal): Promise<Box>;
  /**
   * Asked once before a run, with what its tasks want of their boxes; starts nothing.
   * @returns sentences for the user, if any: what will work, but not as one would think
   * @throws VfError for what no box could be given here: nothing to run boxes on, a program that is missing
   */
  check?(
    specs: readonly WantedBox<Config>[],
    signal: AbortSignal,
  ): Promise<readonly string[] | void>;
  /**
   * What stands behind the image of each spec, in their order, asked of no registry; null where there is no image, several
   * where services stand beside the box. By it runs are told apart whose images have the same name.
   */
  images?(
    specs: readonly WantedBox<Config>[],
    signal: AbortSignal,
  ): Promise<readonly (ImageIdentity | readonly ImageIdentity[] | null)[]>;
  /** Removes (or with `dryRun` only lists) boxes whose maker is gone and that are older than `olderThanMs`. */
  sweep(options: SweepOptions, signal: AbortSignal): Promise<readonly Leftover[]>;
  /**
   * Frees all boxes of this process at once, also those in the making; synchronous, and ends within half a minute. Asked in
   * place of `cleanup` of each box.
   * @returns how many are left; null when that cannot be told
   */
  cleanup?(): number | null;
}

/** What a runtime can do, asked by the preflight. */
export interface RuntimeOffers {
  readonly images: boolean;
  readonly policies: readonly NetworkPolicy['mode'][];
  readonly policyChange: boolean;
  readonly users: boolean;
  readonly services: boolean;
  /** Most boxes at once, when the runtime has a bound of its own. */
  readonly maxBoxes?: number;
}

/** What tasks want of their boxes, as far as it is known before a run. */
export type WantedBox<Config = unknown> = Pick<
  BoxSpec<Config>,
  'config' | 'image' | 'build' | 'compose' | 'network' | 'resources'
> & {
  /** Key of the task, for messages. */
  readonly task?: string;
};

/** What stands behind the image of a box. */
export interface ImageIdentity {
  /** As the task or the runtime's options name it; null for one that is built of a folder. */
  readonly name: string | null;
  /** Service beside the box for which it is built. */
  readonly service?: string;
  /** A registry's digest, an engine's id or a key of what it is built of; null while it is nowhere but in a registry. */
  readonly digest: string | null;
}

/** Something a killed process left behind, or with `caches` something that is kept: its labels name no run. */
export interface Leftover {
  readonly what: string;
  readonly labels: BoxLabels;
}

/** What a sweep removes. */
export interface SweepOptions {
  /** Counts from the making of each. */
  readonly olderThanMs: number;
  readonly dryRun: boolean;
  /** Also what is kept for later runs and used by none now. */
  readonly caches?: boolean;
  /** Also boxes that were kept for a person. */
  readonly kept?: boolean;
  /** Told how many things will be removed, before the first is. */
  begun?(count: number): void;
}
