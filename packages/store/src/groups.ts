import { linesOf } from './files/read-lines.ts';
import { pathIn } from './folder/layout.ts';
import type { GroupRecord } from './group-record.ts';

/** A group's line; `tracesEnd` is the size of `traces.jsonl` at that time, bytes. */
export interface StoredGroup extends GroupRecord {
  readonly tracesEnd: number;
}

/** The last scores of each task's group. */
export async function readGroups(dir: string): Promise<Map<string, StoredGroup>> {
  const groups = new Map<string, StoredGroup>();
  for await (const { bytes, isWhole } of linesOf(pathIn(dir, 'groups'))) {
    const group = isWhole ? parseGroup(bytes.toString('utf8')) : null;
    if (group !== null) groups.set(group.task, group);
  }
  return groups;
}

function parseGroup(line: string): StoredGroup | null {
  try {
    const value = JSON.parse(line) as Partial<StoredGroup> | null;
    return isGroup(value) ? value : null;
  } catch {
    return null;
  }
}

function isGroup(value: Partial<StoredGroup> | null): value is StoredGroup {
  return (
    typeof value?.task === 'string' &&
    Array.isArray(value.attempts) &&
    typeof value.rewards === 'object' &&
    typeof value.tracesEnd === 'number'
  );
}
