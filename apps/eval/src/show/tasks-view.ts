import type { IndexEntry } from '@vf/store';
import { formatScore } from '../screen/format.ts';
import { asName, cut } from '../screen/one-line.ts';
import { alignRows } from '../screen/table.ts';

/** All attempts at one task. */
export interface TaskRow {
  readonly task: string;
  readonly name: string | null;
  readonly attempts: number;
  readonly unscored: number;
  /** Mean of the scored ones. */
  readonly reward: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Mean of all. */
  readonly turns: number;
}

/** Worst tasks first; those without a score before them. */
export async function taskRows(batches: AsyncIterable<readonly IndexEntry[]>): Promise<TaskRow[]> {
  const byTask = new Map<string, IndexEntry[]>();
  for await (const entries of batches) {
    for (const entry of entries) {
      const group = byTask.get(entry.task);
      if (group === undefined) byTask.set(entry.task, [entry]);
      else group.push(entry);
    }
  }
  return [...byTask].map(rowOf).sort((a, b) => (a.reward ?? -Infinity) - (b.reward ?? -Infinity));
}

function rowOf([task, entries]: [string, IndexEntry[]]): TaskRow {
  const rewards = entries.flatMap(({ reward }) => reward ?? []);
  return {
    task,
    name: entries[0]?.name ?? null,
    attempts: entries.length,
    unscored: entries.length - rewards.length,
    reward: rewards.length === 0 ? null : mean(rewards),
    lowest: rewards.length === 0 ? null : Math.min(...rewards),
    highest: rewards.length === 0 ? null : Math.max(...rewards),
    turns: mean(entries.map(({ turns }) => turns)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function tasksText(rows: readonly TaskRow[]): string {
  const head = ['TASK', 'REWARD', 'LOWEST', 'HIGHEST', 'ATTEMPTS', 'UNSCORED', 'TURNS'];
  const cells = rows.map((row) => [
    cut(asName(row.name === null ? row.task : `${row.task} ${row.name}`), 200),
    formatScore(row.reward),
    formatScore(row.lowest),
    formatScore(row.highest),
    String(row.attempts),
    String(row.unscored),
    row.turns.toFixed(1),
  ]);
  return alignRows([head, ...cells], new Set([1, 2, 3, 4, 5, 6])).join('\n');
}
