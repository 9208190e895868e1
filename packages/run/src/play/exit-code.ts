import type { RunConfig } from '../config/run-config.ts';
import type { RunStatus } from './events.ts';
import type { RunSummary } from './summary.ts';

/** A mean and a share of a count miss a bound by rounding alone: 0.29 of 100 is below 29. */
const slack = 1e-9;

/** The exit code of a run that was started: 0, 3 (unscored), 4 (stopped), 5 (a gate failed) or 130 (interrupted). */
export function exitCodeOf(
  status: RunStatus,
  { figures }: Pick<RunSummary, 'figures'>,
  gate: RunConfig['gate'],
): number {
  if (status === 'interrupted') return 130;
  if (status === 'stopped') return 4;
  if (isAboveUnscored(figures, gate) || figures.scored === 0 || status === 'incomplete') return 3;
  return isBelowReward(figures, gate) ? 5 : 0;
}

/** What a gate that somebody has set found wrong, in words; null for a run that ended otherwise. */
export function gateFailure(
  status: RunStatus,
  summary: Pick<RunSummary, 'figures'>,
  gate: RunConfig['gate'],
): string | null {
  const { figures } = summary;
  const code = exitCodeOf(status, summary, gate);
  if (code === 5)
    return `reward ${shown(figures.reward.mean, gate.minReward)} below min_reward ${gate.minReward}`;
  const { maxUnscored: most } = gate;
  const isSet = 'share' in most || most.count > 0;
  if (code !== 3 || !isSet || !isAboveUnscored(figures, gate)) return null;
  const bound = 'share' in most ? `${Number((most.share * 100).toFixed(6))}%` : most.count;
  return `${figures.unscored} of ${figures.rollouts} rollouts unscored, above max_unscored ${bound}`;
}

type Figures = RunSummary['figures'];

function isAboveUnscored({ unscored, rollouts }: Figures, { maxUnscored }: RunConfig['gate']) {
  return (
    unscored > ('count' in maxUnscored ? maxUnscored.count : maxUnscored.share * rollouts + slack)
  );
}

function isBelowReward({ reward }: Figures, { minReward }: RunConfig['gate']): boolean {
  return minReward !== null && (reward.mean === null || reward.mean < minReward - slack);
}

/** Three digits, or all where three would look like the bound. */
function shown(mean: number | null, bound: number | null): string {
  if (mean === null) return '–';
  return Number(mean.toFixed(3)) === bound ? String(mean) : mean.toFixed(3);
}
