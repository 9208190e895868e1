import { isInfrastructure } from '@vf/core/errors';
import type { RunResult } from '@vf/run';
import { formatCount, placeText } from './format.ts';
import { typedRun } from '../typed.ts';
import { messageLines, quoted } from './message-lines.ts';
import { visible } from './one-line.ts';

type Stopped = Pick<RunResult, 'status' | 'reason'> & {
  readonly summary: Pick<RunResult['summary'], 'figures' | 'planned' | 'run' | 'dir'>;
};

/**
 * Why a run ended before its end, in the style of an error; null when it did not.
 * @param goOn what to type once the disk takes more; default: `vf resume`
 */
export function stopText({ status, reason, summary }: Stopped, goOn?: string): string | null {
  const { figures, planned, dir } = summary;
  const run = typedRun(dir, summary.run);
  const share = `${formatCount(figures.rollouts)} of ${formatCount(planned.rollouts)}`;
  if (status === 'interrupted')
    return `vf: interrupted after ${share}; what is complete is on disk\n  fix: vf resume ${run}   [cancelled]`;
  if (reason === null || status !== 'stopped') return null;
  if (reason.code === 'same_failure') return sameFailure(reason, share, run);
  if (reason.code === 'disk') {
    const { errorCode = 'store/disk_full' } = reason;
    const mend = errorCode === 'store/disk_full' ? 'make room' : 'see to it that it can be written';
    return `vf: stopped after ${share}: ${visible(reason.message)}\n  fix: ${mend}, then ${goOn ?? `vf resume ${run}`}   [${errorCode}]`;
  }
  return `vf: stopped after ${share}: ${reason.message}\n  fix: ${moreOf(reason.budget, run)}   [usage/budget_spent]`;
}

/** What is left to say when there is no time for a summary. */
export function hardStopText(dir: string, run: string): string {
  return `what is complete is on disk\n  fix: vf resume ${typedRun(dir, run)}   [cancelled]`;
}

type Budget = NonNullable<RunResult['reason']>['budget'];

/** Time counts anew in each session. */
function moreOf(budget: Budget, run: string): string {
  if (budget === 'time') return `vf resume ${run} goes on for as long again`;
  return `vf resume ${run} ${raised(budget)}, with more than before`;
}

/** `--budget N`: without more, a resume of a run that has used up its budget starts nothing. */
export function raised(budget: Exclude<Budget, 'time'>): string {
  return budget === 'tokens' ? '--budget.tokens N' : '--budget N';
}

/** Of the failure that ended the run. */
const shownLines = 24;

function sameFailure(
  { message, errorCode = '', phase, at }: NonNullable<RunResult['reason']>,
  share: string,
  run: string,
): string {
  const [first, ...rest] = messageLines(message, shownLines);
  const tried =
    errorCode === 'provider/auth'
      ? 'check the key that client.api_key_var names'
      : 'try one with vf eval … -n 1';
  // A program that cannot be started is most often another in the harness's settings, which a resume keeps.
  const isOutside = isInfrastructure(errorCode) && errorCode !== 'runtime/exec_failed';
  const then = isOutside ? `vf resume ${run}` : 'start a new run';
  return [
    `vf: stopped after ${share}: each failed alike`,
    `  ${errorCode}${phase === undefined ? '' : ` in ${phase}`}: ${first}${placeText(at)}`,
    ...quoted(rest, '    '),
    `  fix: ${tried}, then ${then}   [${errorCode}]`,
  ].join('\n');
}
