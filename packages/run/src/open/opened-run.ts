import { stringify } from 'smol-toml';
import type { IndexEntry, RunWriter } from '@vf/store';
import type { ResolvedConfig } from '../config/resolve-config.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Secrets } from '../secrets.ts';

/** A run whose folder is this process's to write. */
export interface OpenedRun {
  readonly run: { readonly id: string; readonly name?: string };
  readonly writer: RunWriter;
  /** Episodes that stay as they are. */
  readonly done: readonly IndexEntry[];
  /** What all stored episodes used: dollars as far as they are known, and tokens. */
  readonly spent: { readonly cost: number; readonly tokens: number };
}

export interface OpenOptions {
  readonly plan: RunPlan;
  readonly resolved: ResolvedConfig;
  readonly secrets: Secrets;
  /** Of vf itself. */
  readonly version: string;
  readonly cwd: string;
  /** Families whose failures are played again too: harness, taskset, scoring. */
  readonly include: readonly string[];
  /** Reads every stored episode, so that a line damaged in the middle is found. Default: false. */
  readonly isThorough?: boolean;
  /** Folder of the run whose traces this one scores again. */
  readonly parentDir?: string;
}

/** The config as the run's folder keeps it. */
export function configText({ tree }: ResolvedConfig, secrets: Secrets): string {
  return secrets.mask(stringify(tree));
}

export function named(id: string, name: string | null): OpenedRun['run'] {
  return name === null ? { id } : { id, name };
}
