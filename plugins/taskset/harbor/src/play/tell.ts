import type { HarborTask } from '../folder/harbor-task.ts';
import type { Ctx, Said } from './play.ts';

/** Notes what a program of the step that is played said, and writes to `info.harbor` how far the rollout has come. */
export function tell(
  { state, trace }: Pick<Ctx, 'state' | 'trace'>,
  { isMultiStep, steps: names }: Pick<HarborTask, 'isMultiStep' | 'steps'>,
  said: Said = {},
): void {
  state.said[state.step] = { ...state.said[state.step], ...said };
  const steps = state.said.map((of, index) => ({
    ...state.results[index],
    step: names[index]?.name ?? null,
    ...of,
  }));
  const before = Object(trace.info['harbor']) as object;
  trace.info['harbor'] = { ...before, ...(isMultiStep ? { steps } : state.said[0]) };
}
