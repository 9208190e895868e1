import { isLive, readPlan } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { aboutOfRecord } from '@vf/run/summary';

/** What an export needs of a run's plan. */
export interface Planned {
  /** Place of each task, by key. */
  readonly order: ReadonlyMap<string, number>;
  /** How many there should be; null when the plan does not say, or nobody planned them. */
  readonly rollouts: number | null;
  /** Was it played by a program of its own, so that vf plays nothing of it again? */
  readonly isElsewhere: boolean;
  /** Is somebody playing it? */
  readonly isLive: boolean;
}

/** @throws VfError store/not_found, store/damaged, store/newer_version */
export async function loadPlanned(dir: string): Promise<Planned> {
  const plan = await readPlan(dir);
  const { tasks } = Object(plan) as { tasks?: unknown };
  const keys = Object.keys(Object(tasks) as object);
  const about = aboutOfRecord(plan);
  const isElsewhere = about?.elsewhere === true;
  return {
    order: new Map(keys.map((key, at) => [key, at])),
    rollouts: isElsewhere ? null : (about?.planned.rollouts ?? null),
    isElsewhere,
    isLive: await isLive(dir),
  };
}

/**
 * By task as planned, then by attempt, whatever ended first: trainers take the attempts at a task as a group by where they
 * stand. Tasks that no plan names come last.
 */
export function inPlanOrder(entries: readonly IndexEntry[], { order }: Planned): IndexEntry[] {
  const places = new Map(order);
  for (const { task } of entries) if (!places.has(task)) places.set(task, places.size);
  const place = ({ task }: IndexEntry): number => places.get(task) ?? 0;
  return entries.toSorted((a, b) => place(a) - place(b) || a.attempt - b.attempt);
}
