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
  const allowed =
    'count' in gate.maxUnscored
      ? gate.maxUnscored.count
      : gate.maxUnscored.share * figures.rollouts + slack;
  if (figures.unscored > allowed || figures.scored === 0 || status === 'incomplete') return 3;
  const { mean } = figures.reward;
  return gate.minReward !== null && (mean === null || mean < gate.minReward - slack) ? 5 : 0;
}
