import type { Trace } from '@vf/core';
import { thrownAt } from '@vf/core/trace';
import type { PlayName } from './play-places.ts';

/** Why a play of a task could not be scored. */
export interface TaskProblem {
  readonly text: string;
  /** Without what differs from one box to the next. */
  readonly told: string;
}

/** What its last try failed of, each once. */
export function problemsOf({ errors }: Trace): TaskProblem[] {
  const problems = errors
    .filter(({ attempt }) => attempt === undefined)
    .map(({ type, message, stack }): TaskProblem => {
      const text = `${message}${placeText(stack)} [${type}]`;
      return { text, told: text.replaceAll(/\d+/g, 'N') };
    });
  return [...new Map(problems.map((problem) => [problem.told, problem])).values()];
}

function placeText(stack = ''): string {
  const at = thrownAt(stack);
  return at === null ? '' : ` at ${at}`;
}

/** What both fail of is one fault, seen in the reference. */
export function unscored(
  solved: readonly TaskProblem[],
  idle: readonly TaskProblem[],
): { readonly of: PlayName; readonly faults: readonly string[] }[] {
  const isIn = (all: readonly TaskProblem[], { told }: TaskProblem): boolean =>
    all.some((other) => other.told === told);
  const said = (all: readonly TaskProblem[], who: string): string[] =>
    all.map(({ text }) => `${who} could not be scored: ${text}`);
  const shared = solved.filter((problem) => isIn(idle, problem));
  const ofSolved = solved.filter((problem) => !isIn(idle, problem));
  const ofIdle = idle.filter((problem) => !isIn(solved, problem));
  const found = [
    { of: 'reference', faults: said(shared, 'the reference solution and doing nothing') },
    { of: 'reference', faults: said(ofSolved, 'the reference solution') },
    { of: 'nothing', faults: said(ofIdle, 'doing nothing') },
  ] as const;
  return found.filter(({ faults }) => faults.length > 0);
}
