import type { TaskVerdict } from '@vf/run';
import { formatCount, formatScore } from './format.ts';
import { visible } from './one-line.ts';

/** What `vf validate` found wrong, and below it what was warned of: each once, with how many tasks have it and the first of them. */
export function faultsText(verdicts: readonly TaskVerdict[]): string {
  const warned = verdicts.map((verdict) => ({
    ...verdict,
    faults: verdict.notes.map((note) => `warning: ${note}`),
  }));
  return [...grouped(verdicts), ...grouped(warned)].join('\n');
}

function grouped(verdicts: readonly TaskVerdict[]): string[] {
  const byFault = new Map<string, Set<TaskVerdict>>();
  for (const verdict of verdicts) {
    for (const fault of verdict.faults) {
      const key = withoutName(fault, verdict.task);
      byFault.set(key, (byFault.get(key) ?? new Set()).add(verdict));
    }
  }
  return [...byFault]
    .sort(([, a], [, b]) => b.size - a.size)
    .map(([fault, tasks]) => faultText(fault, [...tasks]));
}

const shownTasks = 3;

function faultText(fault: string, tasks: readonly TaskVerdict[]): string {
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1)
    return `${visible(only.task)}   ${scores(only)}   ${visible(only.faults.find((one) => withoutName(one, only.task) === fault) ?? fault)}`;
  const first = tasks.slice(0, shownTasks);
  const rest = tasks.length - first.length;
  return [
    `${formatCount(tasks.length)} tasks   ${visible(fault)}`,
    ...first.map((verdict) => `  ${visible(verdict.task)}   ${scores(verdict)}`),
    ...(rest > 0 ? [`  … and ${formatCount(rest)} more; --json has each`] : []),
  ].join('\n');
}

/** Messages that differ in the key of their task alone are the same problem. */
function withoutName(fault: string, task: string): string {
  return task === '' ? fault : fault.replaceAll(task, 'TASK');
}

function scores({ reference, nothing }: TaskVerdict): string {
  return `reference ${formatScore(reference)}   nothing ${formatScore(nothing)}`;
}
