import { z } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { aboutOf } from './about.ts';
import { measuredValues } from './measured.ts';
import type { RunPlan } from './run-plan.ts';
import { scorersOf } from './scorers.ts';
import { sourceRevision } from './source-revision.ts';

const recordSchema = z.object({
  v: z.literal(1),
  vf: z.string(),
  run: z.object({ id: z.string(), name: z.string().nullable() }),
  created: z.string(),
  measured: z.record(z.string(), z.unknown()),
  /** Task key -> SHA-256 of its row. */
  tasks: z.record(z.string(), z.string()),
  /** Image -> digest; null when it was not known yet. Plans of before vf kept them have none. */
  images: z.record(z.string(), z.string().nullable()).default({}),
  attempts: z.number(),
  /** Empty in plans of before vf kept them. */
  scorers: z.record(z.string(), z.unknown()).default({}),
  about: z.record(z.string(), z.unknown()).default({}),
  providers: z.record(z.string(), z.unknown()).default({}),
  plugins: z.array(z.looseObject({ kind: z.string(), id: z.string() })).default([]),
});

/** What `plan.json` says: enough to compare and to resume a run without its plugins. */
export type PlanRecord = z.infer<typeof recordSchema>;

export async function planRecord(
  plan: RunPlan,
  about: {
    readonly vf: string;
    readonly id: string;
    readonly name: string | null;
    readonly sources: Readonly<Record<string, string>>;
    readonly parent: string | null;
  },
  cwd: string,
) {
  return {
    v: 1,
    vf: about.vf,
    run: { id: about.id, name: about.name },
    parent: about.parent,
    created: new Date().toISOString(),
    about: aboutOf(plan),
    measured: measuredValues(plan),
    scorers: scorersOf(plan.episode.taskset),
    tasks: tasksOf(plan),
    images: plan.images,
    attempts: plan.config.rolloutsPerExample,
    sources: about.sources,
    plugins: plan.plugins,
    providers: plan.providers,
    notes: plan.notes,
    revision: await sourceRevision(cwd),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

export function tasksOf(plan: RunPlan): Record<string, string> {
  return Object.fromEntries(plan.tasks.map(({ key, hash }) => [key, hash]));
}

/** @throws VfError store/damaged, store/newer_version */
export function parsePlanRecord(value: unknown, dir: string): PlanRecord {
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  if (typeof version === 'number' && version > 1) {
    throw new VfError(
      'store/newer_version',
      `${dir} was written by a newer vf (plan version ${version})`,
      { hint: 'update vf' },
    );
  }
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new VfError(
    'store/damaged',
    `${dir}/plan.json is not a plan: ${z.prettifyError(parsed.error)}`,
    { hint: 'start a new run' },
  );
}
