import { VfError } from '@vf/core/errors';
import { camel, snake } from '../names.ts';
import type { RunSummary } from './summary.ts';

/** A summary as `summary.json` has it. */
export function summaryRecord(summary: RunSummary): Record<string, unknown> {
  return snake(summary);
}

/**
 * The summary of a `summary.json`, also of one of version 1, which had the names of memory; null for what lacks what
 * every one has by now, so that the run is summed up again.
 * @throws VfError store/newer_version
 */
export function summaryOfRecord(record: unknown): RunSummary | null {
  if (typeof record !== 'object' || record === null) return null;
  const version = 'v' in record ? record.v : null;
  if (typeof version !== 'number') return null;
  if (version > 2) {
    throw new VfError('store/newer_version', `the run was summed up by a newer vf (${version})`, {
      hint: 'update vf',
    });
  }
  const summary = version === 1 ? { ...record, v: 2 } : camel(record);
  return isWhole(summary) ? summary : null;
}

function isWhole(summary: object): summary is RunSummary {
  const { figures }: { figures?: { bounds?: { best?: unknown } } | null } = summary;
  return figures?.bounds?.best !== undefined;
}
