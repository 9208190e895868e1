import { basename } from 'node:path';
import { compare } from '@vf/stats';
import type { Comparison, Tally } from '@vf/stats';
import { VfError } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';
import { matchTasks } from './match-tasks.ts';
import type { TaskMatch } from './match-tasks.ts';
import {
  isOfScoring,
  leadingDifferences,
  planDifferences,
  sameGroups,
} from './plan-differences.ts';
import type { PlanDifference } from './plan-differences.ts';
import { readComparedRun } from './read-run.ts';
import type { ComparedRun } from './read-run.ts';
import { firstFew } from '../first-few.ts';

/** What may differ between two runs that are compared all the same. */
export type Allowed = 'tasks' | 'scoring';

/** A task that one run solves more often than not and the other does not; mean rewards of both. */
export interface Flip {
  readonly task: string;
  readonly a: number;
  readonly b: number;
}

export interface RunComparison extends Omit<Comparison, 'flips'> {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** All of them; `leading` has those that do not follow from another one. */
  readonly differences: readonly PlanDifference[];
  readonly leading: readonly PlanDifference[];
  /** Groups of values that are the same: model, sampling, … */
  readonly same: readonly string[];
  readonly tasks: Omit<TaskMatch, 'toA'>;
  readonly flips: { readonly aOnly: readonly Flip[]; readonly bOnly: readonly Flip[] };
}

export type ComparedSide = Pick<ComparedRun, 'run' | 'dir' | 'about' | 'played' | 'planned'>;

/**
 * Compares two run folders by their plans and indexes, paired by task.
 * @throws VfError store/* when one cannot be read; usage/not_comparable when they measured different tasks or scored
 * differently, unless that is allowed
 */
export async function compareRuns(
  dirA: string,
  dirB: string,
  allow: ReadonlySet<Allowed>,
): Promise<RunComparison> {
  const a = await readComparedRun(dirA);
  const b = await readComparedRun(dirB);
  const differences = planDifferences(a, b);
  const { toA, ...tasks } = matchTasks(a.hashes, b.hashes, allow.has('tasks'));
  refuseOthers(a, b, tasks, differences, allow);
  const nameInA = (key: string): string => toA.get(key) ?? (a.hashes.has(key) ? `B ${key}` : key);
  const ofB = b.tally.renamed(nameInA);
  const { flips, ...comparison } = compare(
    a.tally,
    ofB,
    { ...a.weights, ...b.weights },
    { tasks: [...toA.values()], attempts: { a: a.attempts, b: b.attempts } },
  );
  const flip = (task: string): Flip => ({ task, a: meanOf(a.tally, task), b: meanOf(ofB, task) });
  return {
    a: sideOf(a),
    b: sideOf(b),
    differences,
    leading: leadingDifferences(differences),
    same: sameGroups(a, b, differences),
    tasks,
    ...comparison,
    flips: { aOnly: flips.aOnly.map(flip), bOnly: flips.bOnly.map(flip) },
  };
}

function sideOf({ run, dir, about, played, planned }: ComparedRun): ComparedSide {
  return { run, dir, about, played, planned };
}

function meanOf(tally: Tally, task: string): number {
  return tally.tasks.get(task)?.reward.mean ?? NaN;
}

function refuseOthers(
  a: ComparedRun,
  b: ComparedRun,
  { common, changed, onlyA, onlyB }: Omit<TaskMatch, 'toA'>,
  differences: readonly PlanDifference[],
  allow: ReadonlySet<Allowed>,
): void {
  const problems: Problem[] = [];
  const flags: Allowed[] = [];
  const paired = common + (allow.has('tasks') ? changed.length : 0);
  if (changed.length > 0 && !allow.has('tasks')) {
    const message = `${changed.length} of ${changed.length + common} have another content: ${firstFew(changed)}`;
    problems.push({ path: 'tasks', message });
    flags.push('tasks');
  } else if (paired === 0) {
    const message = `none is in both: ${onlyA.length} in ${a.run} only, ${onlyB.length} in ${b.run} only`;
    throw new VfError('usage/not_comparable', `${a.run} and ${b.run} have no task in common`, {
      problems: [{ path: 'tasks', message }],
      hint: 'vf show lists the runs; compare two of one taskset',
    });
  }
  const scoring = differences.filter(isOfScoring);
  if (scoring.length > 0 && !allow.has('scoring')) {
    problems.push(
      ...scoring.map(({ path, a: ofA, b: ofB }) => ({
        path,
        message: `${shown(ofA)} → ${shown(ofB)}`,
      })),
    );
    flags.push('scoring');
  }
  if (problems.length === 0) return;
  const allowed = [...flags, ...allow].map((flag) => `--allow ${flag}`).join(' ');
  const rescore = flags.includes('scoring') ? rescoreHint(a, b) : '';
  throw new VfError('usage/not_comparable', `${a.run} and ${b.run} did not measure the same`, {
    problems,
    hint: `${rescore}vf compare ${a.run} ${b.run} ${allowed}`,
  });
}

/** The older run has the older scorer; whose scorer is today's no run folder says. */
function rescoreHint(a: ComparedRun, b: ComparedRun): string {
  const isOf = (one: ComparedRun, other: ComparedRun): boolean =>
    one.parent !== null && [other.run, basename(other.dir)].includes(one.parent);
  if (isOf(a, b) || isOf(b, a)) return '';
  if (a.created === null || b.created === null || a.created === b.created)
    return `vf rescore ${a.run} and vf rescore ${b.run} to score both alike, or `;
  const older = a.created < b.created ? a.run : b.run;
  return `vf rescore ${older}, the older one, to score both alike, or `;
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
