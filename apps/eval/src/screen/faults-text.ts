import type { TaskVerdict } from '@vf/run';
import { formatCount, formatScore } from './format.ts';
import { asName, visible } from './one-line.ts';

/** What `vf validate` found wrong, and below it what was warned of: each once, with how many tasks have it and the first of them. */
export function faultsText(verdicts: readonly TaskVerdict[]): string {
  const warned = verdicts.map((verdict) => ({
    ...verdict,
    faults: verdict.notes.map((note) => `warning: ${note}`),
  }));
  return [...grouped(verdicts), ...grouped(warned)].join('\n');
}

function grouped(verdicts: readonly TaskVerdict[]): string[] {
  const alike = new Map<string, Fault>();
  for (const fault of told(verdicts)) {
    const { text, tasks } = fault;
    const [only] = tasks;
    const key = only === undefined || tasks.length > 1 ? text : withoutName(text, only.task);
    const other = alike.get(key);
    const both = { text: key, tasks: [...(other?.tasks ?? []), ...tasks] };
    alike.set(key, other === undefined ? fault : both);
  }
  return [...alike.values()].sort((a, b) => b.tasks.length - a.tasks.length).map(faultText);
}

/** A fault in words, and the tasks that have it. */
interface Fault {
  readonly text: string;
  readonly tasks: readonly TaskVerdict[];
}

/** By their very words first: they may name another task, whose image is theirs too. */
function told(verdicts: readonly TaskVerdict[]): Fault[] {
  const byText = new Map<string, Set<TaskVerdict>>();
  for (const verdict of verdicts)
    for (const text of verdict.faults)
      byText.set(text, (byText.get(text) ?? new Set()).add(verdict));
  return [...byText].map(([text, tasks]) => ({ text, tasks: [...tasks] }));
}

const shownTasks = 3;

function faultText({ text, tasks }: Fault): string {
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1)
    return `${asName(only.task)}   ${scores(only)}   ${visible(text)}`;
  const first = tasks.slice(0, shownTasks);
  const rest = tasks.length - first.length;
  return [
    `${formatCount(tasks.length)} tasks   ${visible(text)}`,
    ...first.map((verdict) => `  ${asName(verdict.task)}   ${scores(verdict)}`),
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
