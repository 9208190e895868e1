import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Tally } from '@vf/stats';
import { VfError } from '@vf/core/errors';
import { readIndexStream, readPlan } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { aboutOfRecord } from '../summary.ts';
import type { RunAbout } from '../summary.ts';
import { fieldsAt, flat, isFields } from './fields.ts';
import type { Fields } from './fields.ts';

/** A run as a comparison needs it: what it measured, and what came out by task. */
export interface ComparedRun {
  /** Its name, or its id. */
  readonly run: string;
  readonly dir: string;
  readonly about: RunAbout | null;
  /** Values that decide what was measured, flat. */
  readonly measured: Fields;
  /** How rollouts were scored, flat; empty when the plan is from before vf kept it. */
  readonly scorers: Fields;
  readonly tally: Tally;
  /** Hash of each task that was planned or played, by key. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Of each part of the reward, as the episodes have them. */
  readonly weights: Readonly<Record<string, number>>;
  /** Versions of the model's weights that sampled its rollouts; empty where no engine says them. */
  readonly modelWeights: readonly string[];
  /** When it was planned, as ISO 8601; null when the plan does not say. */
  readonly created: string | null;
  /** The run whose traces it scored again. */
  readonly parent: string | null;
  readonly attempts: number;
  readonly played: number;
  /** Rollouts that the plan asks for; null when it does not say. */
  readonly planned: number | null;
}

/**
 * Reads `plan.json` and `traces.index.jsonl`; the traces themselves are not needed. Memory grows with the tasks.
 * @throws VfError store/not_found, store/damaged, store/newer_version
 */
export async function readComparedRun(dir: string): Promise<ComparedRun> {
  const plan = await readPlan(dir);
  requireFiles(dir, plan);
  const record = isFields(plan) ? plan : {};
  const about = aboutOfRecord(plan);
  const hashes = new Map<string, string>();
  for (const [key, hash] of Object.entries(fieldsAt(plan, 'tasks')))
    if (typeof hash === 'string') hashes.set(key, hash);
  const tally = new Tally();
  const weights: Record<string, number> = {};
  const modelWeights = new Set<string>();
  let played = 0;
  for await (const entries of readIndexStream(dir)) {
    for (const entry of entries) {
      played++;
      hashes.set(entry.task, entry.hash);
      Object.assign(weights, entry.weights);
      for (const version of entry.modelWeights ?? []) modelWeights.add(version);
      tally.add(rowOf(entry));
    }
  }
  return {
    run: nameOf(plan, dir),
    dir,
    about,
    measured: {
      ...fieldsAt(plan, 'measured'),
      ...flat(fieldsAt(plan, 'images'), 'images'),
      rollouts_per_example: record['attempts'],
      vf: record['vf'],
    },
    scorers: flat(fieldsAt(plan, 'scorers'), 'scorers'),
    tally,
    hashes,
    weights,
    modelWeights: [...modelWeights],
    created: textOf(record['created']),
    parent: textOf(record['parent']),
    attempts: typeof record['attempts'] === 'number' ? record['attempts'] : 1,
    played,
    planned: about?.planned.rollouts ?? null,
  };
}

function rowOf({ task, reward, rewards, metrics, turns, cost }: IndexEntry) {
  return { task, reward, rewards, metrics: { ...metrics, turns, cost } };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function nameOf(plan: unknown, dir: string): string {
  const { name, id } = fieldsAt(plan, 'run');
  return [name, id].find((one) => typeof one === 'string') ?? basename(dir);
}

/** A copied folder may lack the index, or the scores that attempts got together. */
function requireFiles(dir: string, plan: unknown): void {
  const has = (file: string): boolean => existsSync(join(dir, file));
  const needed = has('traces.jsonl') ? [] : ['traces.index.jsonl'];
  const isGrouped = Object.keys(fieldsAt(fieldsAt(plan, 'scorers'), 'group_rewards')).length > 0;
  const missing = [...needed, ...(isGrouped ? ['groups.jsonl'] : [])].filter((file) => !has(file));
  if (missing.length === 0) return;
  throw new VfError('store/not_found', `${dir} has no ${missing.join(' and no ')}`, {
    hint: `copy ${missing.join(', ')} of the run beside its plan.json`,
  });
}
