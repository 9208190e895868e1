import type { Leftover, SweepOptions } from '@vf/core';
import { mayBeAlive, removeTree } from '@vf/runtime-kit';
import { killMembers } from '../process/kill-members.ts';
import { membersOf, membershipOf } from '../process/members.ts';
import type { Membership } from '../process/members.ts';
import { readRecords, removeRecord } from './record.ts';
import type { BoxRecord } from './record.ts';

/**
 * Ends the processes and removes the folders of boxes whose maker is gone; of those that are kept for a person only with
 * `kept`.
 */
export async function sweep(
  options: SweepOptions,
  signal: AbortSignal,
): Promise<readonly Leftover[]> {
  const newest = Date.now() - options.olderThanMs;
  const found: Leftover[] = [];
  for (const record of readRecords()) {
    signal.throwIfAborted();
    if (record.created > newest || mayBeAlive(record.maker)) continue;
    if (record.kept === true && options.kept !== true) continue;
    found.push({ what: describe(record), labels: record.labels });
    if (!options.dryRun) await remove(record);
  }
  return found;
}

async function remove(record: BoxRecord): Promise<void> {
  await killMembers(() => allOf(record));
  await removeTree(record.folder);
  removeRecord(record.id);
}

function describe(record: BoxRecord): string {
  const count = membersOf(allOf(record)).length;
  const processes = count === 0 ? '' : ` and ${count} process${count === 1 ? '' : 'es'}`;
  return `${record.kept === true ? 'kept ' : ''}folder ${record.folder}${processes}`;
}

function allOf({ id, folder }: BoxRecord): Membership {
  return { ...membershipOf(id), folder };
}
