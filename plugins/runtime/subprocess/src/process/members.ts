import { sep } from 'node:path';
import { listProcesses } from '@vf/runtime-kit';
import type { ProcessEntry } from '@vf/runtime-kit';

const variable = 'VF_BOX';

/** What tells that a process belongs to a box or to one program of it. */
export interface Membership {
  /** Part of the environment that only they have. */
  readonly mark: string;
  /** Processes that work in here belong too, whatever their environment. */
  readonly folder?: string;
  /** Processes known to be alive; their descendants belong too. */
  readonly roots?: readonly number[];
}

/** The environment that marks program `index` of a box, and all that it starts. */
export function markOf(boxId: string, index: number): Record<string, string> {
  return { [variable]: `${boxId}.${index}.` };
}

/** Membership of one program, or of all programs of the box. */
export function membershipOf(boxId: string, index?: number): Membership {
  return { mark: `${variable}=${boxId}.${index === undefined ? '' : `${index}.`}` };
}

/** Pids of the members now alive; never this process. */
export function membersOf(membership: Membership, table = listProcesses()): readonly number[] {
  const found = new Set(membership.roots);
  for (const entry of table) if (belongs(entry, membership)) found.add(entry.pid);
  addDescendants(found, table);
  const alive = new Set(table.map(({ pid }) => pid));
  return [...found].filter((pid) => pid !== process.pid && alive.has(pid));
}

function belongs({ environment, cwd }: ProcessEntry, { mark, folder }: Membership): boolean {
  if (environment.includes(mark)) return true;
  if (folder === undefined || cwd === null) return false;
  return cwd === folder || cwd.startsWith(folder + sep);
}

function addDescendants(found: Set<number>, table: readonly ProcessEntry[]): void {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
  }
}
