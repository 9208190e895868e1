import type { RunResult, RunSummary } from '@vf/run';
import { formatCount } from './format.ts';

/** Why a run ended before its end, in the style of an error; null when it did not. */
export function stopText(
  status: RunResult['status'],
  reason: RunResult['reason'],
  summary: RunSummary,
): string | null {
  const { figures, planned, run } = summary;
  const share = `${formatCount(figures.rollouts)} of ${formatCount(planned.rollouts)}`;
  if (status === 'interrupted')
    return `vf: interrupted after ${share}\n  fix: vf resume ${run}   [cancelled]`;
  if (reason === null || status !== 'stopped') return null;
  if (reason.code === 'same_failure') {
    return [
      `vf: stopped after ${share}: each failed alike`,
      `  ${reason.errorCode}: ${reason.message.replaceAll('\n', '\n  ')}`,
      `  fix: try one with vf eval … -n 1, then vf resume ${run} or a new run   [${reason.errorCode}]`,
    ].join('\n');
  }
  const code = reason.code === 'disk' ? 'store/disk_full' : 'usage/invalid';
  const fix =
    reason.code === 'disk'
      ? `make room, then vf resume ${run}`
      : `vf resume ${run} with a larger budget`;
  return `vf: stopped after ${share}: ${reason.message}\n  fix: ${fix}   [${code}]`;
}
