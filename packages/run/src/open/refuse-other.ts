import { join, relative } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import type { PlanRecord } from '../plan/plan-record.ts';

/**
 * Refuses to go on with a run that measured something else. Scores of two scorers in one run could not be told apart
 * later, so other scorers are refused like any other measure.
 * @throws VfError store/other_config with each value that differs
 */
export function refuseOther(
  { id, name }: PlanRecord['run'],
  changed: readonly Problem[],
  scorers: readonly Problem[],
  dir: string,
): void {
  const problems = [...changed, ...scorers];
  if (problems.length === 0) return;
  const run = name ?? id;
  const isScoredOtherwise = scorers.length > 0 && changed.every(isOfRewards);
  const what = isScoredOtherwise ? 'was scored by other scorers' : 'measured something else';
  throw new VfError('store/other_config', `run ${run} ${what}; nothing was started`, {
    problems,
    hint: isScoredOtherwise
      ? `vf rescore ${run} scores its traces with those of now, and the new run can be resumed; or vf eval … --run NEW`
      : problems.every(isOfTasks)
        ? `put the tasks back as they were, or play all as they are now: vf eval @ ${join(relative('', dir) || '.', 'config.toml')} --run NEW`
        : `vf resume ${run} without these goes on as it was; with them: vf eval … --run NEW`,
  });
}

function isOfRewards({ path }: Problem): boolean {
  return path?.startsWith('hooks.rewards.') === true;
}

/** What a task or an image was is no matter of flags, and typing the same again does not bring it back. */
function isOfTasks({ path = '' }: Problem): boolean {
  return path === 'tasks' || path.startsWith('images.');
}
