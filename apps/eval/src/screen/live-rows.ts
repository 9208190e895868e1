import { knownCost } from '@vf/run';
import {
  formatBig,
  formatCost,
  formatCount,
  formatPercent,
  formatRoughly,
  formatScore,
  formatSeconds,
  formatStopwatch,
} from './format.ts';
import { cellsOf } from './cells.ts';
import { asName, cut, oneLine } from './one-line.ts';
import type { Underway } from '@vf/run';
import type { RunHead, Snapshot } from './screen.ts';

const widest = 88;
const barWidth = 32;

export interface LastError {
  /** Unix milliseconds. */
  readonly at: number;
  /** The last line of its message. */
  readonly said: string;
}

/**
 * The live view of a run, at most eleven rows, none wider than `columns`.
 * @param now Unix milliseconds
 * @param lastError null before the first failure
 */
export function liveRows(
  head: RunHead,
  snapshot: Snapshot,
  { columns, now, lastError }: { columns: number; now: number; lastError: LastError | null },
): string[] {
  const width = Math.min(columns - 1, widest);
  const { progress } = snapshot;
  const rows = [
    apart(head.title, `${head.run}   ${formatRoughly(progress.elapsedSeconds)}`, width),
    progressRow(snapshot, width),
    `  reward ${formatScore(progress.reward)}${plusMinus(progress.rewardInterval)}    unscored ${formatCount(progress.unscored)}    retried ${formatCount(progress.retried)}`,
    phaseRow(snapshot, width),
    tokenRow(snapshot, head.budgetCost, width),
    ...slowestRows(snapshot, now),
    ...errorRow(progress.errors, lastError, now),
    apart(`  ${head.dir}`, 'Ctrl-C stops cleanly', width),
  ];
  return rows.map((row) => cut(row, Math.max(1, columns - 1)));
}

function progressRow({ progress: { done, total, etaSeconds } }: Snapshot, width: number): string {
  const filled = total === 0 ? 0 : Math.round((barWidth * done) / total);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const eta =
    etaSeconds === null || done === total ? '' : `about ${formatRoughly(etaSeconds)} left`;
  const share = `  ${formatCount(done)} of ${formatCount(total)}  ${bar}  ${formatPercent(done, total)}`;
  return apart(share, eta, width);
}

function phaseRow({ progress: { phases } }: Snapshot, width: number): string {
  const { boot, setup, agent, finalize, scoring } = phases;
  const atOnce = Object.values(phases).reduce((sum, n) => sum + n, 0);
  return apart(
    `  boot ${boot}   setup ${setup}   agent ${agent}   backing off ${phases['backing-off']}   score ${finalize + scoring}`,
    `${formatCount(atOnce)} at once`,
    width,
  );
}

function tokenRow({ progress }: Snapshot, budgetCost: number | null, width: number): string {
  const { inputTokens, cachedInputTokens, outputTokens, cost, unpriced } = progress;
  const cached =
    cachedInputTokens === 0 ? '' : ` (${formatPercent(cachedInputTokens, inputTokens)} cached)`;
  const budget = budgetCost === null ? '' : ` of ${formatCost(budgetCost)}`;
  const spent = knownCost(cost, unpriced);
  return apart(
    `  tokens ${formatBig(inputTokens)} in${cached}   ${formatBig(outputTokens)} out`,
    `${formatCost(spent)}${budget}, unpriced ${formatCount(unpriced)}`,
    width,
  );
}

function slowestRows({ slowest }: Snapshot, now: number): string[] {
  const table = slowest.map((rollout) => [
    cut(asName(rollout.name), 24),
    rollout.phase,
    rollout.turns === 0 ? '' : `turn ${rollout.turns}`,
    formatSeconds((now - rollout.since) / 1000),
    activity(rollout, now),
  ]);
  return aligned(table).map((row, i) => `  ${(i === 0 ? 'slowest' : '').padEnd(8)} ${row}`);
}

function activity({ phase, agent }: Underway, now: number): string {
  if (phase !== 'agent' || agent === null) return '';
  const doing = agent.doing === 'model' ? 'waiting for the model' : 'in a tool';
  return `${doing} ${formatStopwatch((now - agent.since) / 1000)}`;
}

/** Cells of a column below each other, three spaces between columns. */
function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((row) => cellsOf(row[i] ?? ''))),
  );
  return table.map((row) =>
    row
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - cellsOf(cell)))
      .join('   ')
      .trimEnd(),
  );
}

function errorRow(
  errors: Readonly<Record<string, number>>,
  lastError: LastError | null,
  now: number,
): string[] {
  const counts = Object.entries(errors).sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return [];
  const last =
    lastError === null
      ? ''
      : `   (last: ${formatSeconds((now - lastError.at) / 1000)} ago) ${oneLine(lastError.said, 200)}`;
  return [
    `  errors   ${counts.map(([code, n]) => `${code} ${formatCount(n)}`).join('   ')}${last}`,
  ];
}

/** Half the width of the interval, which near 0 and 1 does not lie evenly around the mean. */
function plusMinus(interval: readonly [low: number, high: number] | null): string {
  return interval === null ? '' : ` ± ${((interval[1] - interval[0]) / 2).toFixed(3)}`;
}

/** Two texts at the ends of a row; the right one only where it fits. */
function apart(left: string, right: string, width: number): string {
  const between = width - cellsOf(left) - cellsOf(right);
  return right === '' || between < 3 ? left : `${left}${' '.repeat(between)}${right}`;
}
