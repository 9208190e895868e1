import type { IndexEntry } from '@vf/store';
import { Tally } from '@vf/stats';
import { BusyTime } from './play/busy-time.ts';
import type { RunAbout } from './plan/about.ts';
import { Ledger, runSummary } from './play/summary.ts';
import type { RunSummary } from './play/summary.ts';

export { summaryOfRecord, summaryRecord } from './play/summary-record.ts';
export type { RunAbout, RunSummary };

/**
 * The summary of a run from its index alone: of one that is under way, or was killed before it wrote its own.
 * `seconds` are those with rollouts under way.
 */
export async function storedSummary(
  run: Pick<RunSummary, 'run' | 'dir' | 'status'> & RunAbout,
  batches: AsyncIterable<readonly IndexEntry[]>,
): Promise<RunSummary> {
  const tally = new Tally();
  const ledger = new Ledger();
  const busy = new BusyTime();
  for await (const entries of batches) {
    for (const entry of entries) {
      ledger.add(entry);
      const { task, attempt, reward, rewards, metrics, turns } = entry;
      tally.add({ task, attempt, reward, rewards, metrics: { ...metrics, turns } });
      busy.add(entry);
    }
  }
  return runSummary({ ...run, seconds: busy.seconds }, tally, ledger);
}

/** What `plan.json` says a run is made of; null when it does not say. */
export function aboutOfRecord(plan: unknown): RunAbout | null {
  const about = isObject(plan) ? plan['about'] : null;
  return isAbout(about) ? about : null;
}

function isAbout(value: unknown): value is RunAbout {
  if (!isObject(value)) return false;
  const { taskset, models, harnesses, runtimes, planned } = value;
  return (
    typeof taskset === 'string' &&
    [models, harnesses, runtimes].every(Array.isArray) &&
    isObject(planned) &&
    typeof planned['rollouts'] === 'number'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
