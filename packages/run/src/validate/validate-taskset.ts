import { rmdir } from 'node:fs/promises';
import type { Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { RolePlan, TaskInstance, TasksetPlan } from '@vf/rollout';
import { checkBoxes } from '../plan/check-boxes.ts';
import { schedule } from '../play/schedule.ts';
import type { Secrets } from '../secrets.ts';
import { NoteTaker } from './note-taker.ts';
import { PlayPlaces } from './play-places.ts';
import type { Evidence } from './play-places.ts';
import { playTask } from './play-task.ts';
import { problemsOf, unscored } from './task-problems.ts';

/** What one task's reference solution, and doing nothing, scored. */
export interface TaskVerdict {
  readonly task: string;
  /** null: not scored. */
  readonly reference: number | null;
  readonly nothing: number | null;
  /** What is wrong with the task, in words; empty for a sound one. */
  readonly faults: readonly string[];
  /** What was warned of while it was played, in words; a sound one may have some, too. */
  readonly notes: readonly string[];
  /** What the plays left that faults were found in. */
  readonly evidence: readonly Evidence[];
}

interface ValidateOptions {
  readonly taskset: TasksetPlan;
  readonly tasks: readonly TaskInstance[];
  readonly runtime: RolePlan['runtime'];
  readonly maxConcurrent: number;
  /** Folder of the host, made when needed, for what the plays of unsound tasks left. */
  readonly dir: string;
  readonly secrets: Secrets;
  /** What the runtime has to say before anything is played. */
  readonly onNote: (note: string) => void;
  readonly onVerdict: (verdict: TaskVerdict) => void;
}

/**
 * Does the reference solution score full marks, and doing nothing none? No model is called.
 * @throws VfError usage/invalid for a taskset without a `validate` hook; or what the runtime lacks here
 */
export async function validateTaskset(
  options: ValidateOptions,
  signal: AbortSignal,
): Promise<TaskVerdict[]> {
  if (options.taskset.spec.validate === undefined) {
    throw new VfError(
      'usage/invalid',
      `taskset ${options.taskset.name} has no reference solution`,
      { hint: 'give it a `validate` hook that performs or returns one' },
    );
  }
  for (const note of await checkBoxes(options.tasks, [options], signal)) options.onNote(note);
  const verdicts: TaskVerdict[] = [];
  try {
    await schedule(options.tasks, options.maxConcurrent, signal, async (task) => {
      const verdict = await verdictOn(task, options, signal);
      verdicts.push(verdict);
      options.onVerdict(verdict);
    });
  } finally {
    // Stays where something is in it.
    await rmdir(options.dir).catch(() => undefined);
  }
  return verdicts;
}

async function verdictOn(
  task: TaskInstance,
  options: ValidateOptions,
  signal: AbortSignal,
): Promise<TaskVerdict> {
  const notes = new NoteTaker();
  const places = new PlayPlaces(options.dir, task.key);
  const playing = { ...options, log: notes.log, places };
  const solved = await playTask(task, 'reference', playing, signal);
  if (!hasBegun(solved)) {
    const faults = problemsOf(solved).map(({ text }) => `cannot be played: ${text}`);
    const evidence = await places.evidence({ reference: solved });
    return { task: task.key, reference: null, nothing: null, faults, notes: notes.all, evidence };
  }
  const idle = await playTask(task, 'nothing', playing, signal);
  const failed = unscored(problemsOf(solved), problemsOf(idle));
  const isWrong = solved.reward !== null && !hasFullMarks(solved);
  const isGiven = idle.reward !== null && idle.reward > 0;
  return {
    task: task.key,
    reference: solved.reward,
    nothing: idle.reward,
    faults: [
      ...failed.flatMap(({ faults }) => faults),
      ...(isWrong ? [`the reference solution scores ${scoresOf(solved)}`] : []),
      ...(isGiven ? [`doing nothing scores ${scoresOf(idle)}`] : []),
    ],
    notes: notes.all,
    evidence: await places.evidence({
      ...(isWrong || failed.some(({ of }) => of === 'reference') ? { reference: solved } : {}),
      ...(isGiven || failed.some(({ of }) => of === 'nothing') ? { nothing: idle } : {}),
    }),
  };
}

/** Did it get as far as the agent? Else doing nothing would fail of the same. */
function hasBegun({ errors }: Trace): boolean {
  return !errors.some(
    ({ phase, attempt }) => attempt === undefined && (phase === 'boot' || phase === 'setup'),
  );
}

function hasFullMarks(trace: Trace): boolean {
  return Object.values(trace.rewards).every(
    (record) => record === null || record.weight <= 0 || record.score >= 1,
  );
}

function scoresOf(trace: Trace): string {
  const parts = Object.entries(trace.rewards).map(
    ([name, record]) => `${name} ${record === null ? '–' : record.score}`,
  );
  return `${trace.reward} (${parts.join(', ')})`;
}
