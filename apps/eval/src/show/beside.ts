import type { ExtraUsage, Trace } from '@vf/core';
import { sumUsage } from '@vf/core/trace';
import { formatBig, formatCost, formatScore } from '../screen/format.ts';
import { asName, oneLine } from '../screen/one-line.ts';

/** A row of a header: its name and its cells. */
export type BesideRow = readonly [name: string, cells: readonly string[]];

const longestReasoning = 160;

/** What judges said of a rollout, how its simulated users ended, and what both took. */
export function besideRows({ info, extraUsage }: Trace): BesideRow[] {
  return [
    ...entriesOf(info['users']).map(([name, user]): BesideRow => [
      'user',
      [asName(name), `${textOr(user['turns'])} turns`, textOr(user['ended'])],
    ]),
    ...entriesOf(info['judged']).map(([name, judged]): BesideRow => [
      'judged',
      [asName(name), formatScore(scoreOf(judged)), ...reasoningOf(judged['verdict'])],
    ]),
    ...[
      ...Map.groupBy(extraUsage, ({ by, model }) => `${by ?? 'earlier tries'}\0${model ?? ''}`),
    ].map(([key, usages]): BesideRow => ['beside', costCells(key, usages)]),
  ];
}

function costCells(key: string, usages: readonly ExtraUsage[]): string[] {
  const [by = '', model = ''] = key.split('\0');
  const { inputTokens, outputTokens, cost } = sumUsage(usages);
  return [
    asName(by),
    ...(model === '' ? [] : [asName(model)]),
    `${formatBig(inputTokens)} in`,
    `${formatBig(outputTokens)} out`,
    `cost ${formatCost(cost ?? null)}`,
  ];
}

function textOr(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? asName(String(value)) : '–';
}

function scoreOf({ score }: Readonly<Record<string, unknown>>): number | null {
  return typeof score === 'number' ? score : null;
}

function reasoningOf(verdict: unknown): string[] {
  if (typeof verdict !== 'object' || verdict === null || !('reasoning' in verdict)) return [];
  return [oneLine(String(verdict.reasoning), longestReasoning)];
}

/** Entries of a record of records, as anyone may have written it. */
function entriesOf(value: unknown): [string, Readonly<Record<string, unknown>>][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(
    (entry): entry is [string, Readonly<Record<string, unknown>>] =>
      typeof entry[1] === 'object' && entry[1] !== null,
  );
}
