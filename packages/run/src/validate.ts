import { randomUUID } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { SendFailed, VfError } from '@vf/core/errors';
import { thrownAt } from '@vf/core/trace';
import type { Interception, Log, Runtime, Trace } from '@vf/core';
import { playEpisode, single } from '@vf/rollout';
import type { RolePlan, Services, TaskInstance, TasksetPlan } from '@vf/rollout';
import { NoteTaker } from './note-taker.ts';
import { PlayPlaces } from './play-places.ts';
import type { Evidence, PlayName } from './play-places.ts';
import { checkBoxes } from './plan/check-boxes.ts';
import { judgesOf } from './plan/side-models.ts';
import { schedule } from './play/schedule.ts';
import type { Secrets } from './secrets.ts';
import { RunSideModels } from './side/run-side-models.ts';
import { systemClock } from './system-clock.ts';

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

export interface ValidateOptions {
  readonly taskset: TasksetPlan;
  readonly tasks: readonly TaskInstance[];
  readonly runtime: {
    readonly id: string;
    readonly plugin: Runtime;
    readonly config: Readonly<Record<string, unknown>>;
  };
  readonly maxConcurrent: number;
  /** Folder of the host, made when needed, for what the plays of unsound tasks left. */
  readonly dir: string;
  readonly secrets: Secrets;
  /** What the runtime has to say before anything is played. */
  readonly onNote: (note: string) => void;
  readonly onVerdict: (verdict: TaskVerdict) => void;
}

/** Does the reference solution score full marks, and doing nothing none? No model is called. */
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
      const verdict = await judge(task, options, signal);
      verdicts.push(verdict);
      options.onVerdict(verdict);
    });
  } finally {
    // Stays where something is in it.
    await rmdir(options.dir).catch(() => undefined);
  }
  return verdicts;
}

async function judge(
  task: TaskInstance,
  options: ValidateOptions,
  signal: AbortSignal,
): Promise<TaskVerdict> {
  const taskset = withoutJudges(options.taskset);
  const notes = new NoteTaker();
  const places = new PlayPlaces(options.dir, task.key);
  const playing = { ...options, log: notes.log, places };
  const solved = await play(task, taskset, 'reference', playing, signal);
  if (!hasBegun(solved)) {
    const faults = problemsOf(solved).map(({ text }) => `cannot be played: ${text}`);
    const evidence = await places.evidence({ reference: solved });
    return { task: task.key, reference: null, nothing: null, faults, notes: notes.all, evidence };
  }
  const idle = await play(task, withoutReference(taskset), 'nothing', playing, signal);
  const failed = unscored(problemsOf(solved), problemsOf(idle));
  const isWrong = solved.reward !== null && !hasFullMarks(solved);
  const isGiven = idle.reward !== null && idle.reward > 0;
  return {
    task: task.key,
    reference: solved.reward,
    nothing: idle.reward,
    faults: [
      ...failed.flatMap(({ faults }) => faults),
      ...(isWrong ? [`the reference solution scores ${describe(solved)}`] : []),
      ...(isGiven ? [`doing nothing scores ${describe(idle)}`] : []),
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

/** What both fail of is one fault, seen in the reference. */
function unscored(
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

interface PlayOptions extends ValidateOptions {
  readonly log: Log;
  readonly places: PlayPlaces;
}

async function play(
  task: TaskInstance,
  taskset: TasksetPlan,
  name: PlayName,
  options: PlayOptions,
  signal: AbortSignal,
): Promise<Trace> {
  const episode = await playEpisode({
    id: randomUUID(),
    attempt: 1,
    plan: {
      run: { id: 'validate' },
      environment: { id: 'single', spec: single, config: {} },
      taskset,
      roles: { agent: modelLessRole(options) },
    },
    task,
    services: servicesOf(options, name),
    signal,
  });
  signal.throwIfAborted();
  const trace = episode.traces[0];
  if (trace !== undefined) return trace;
  throw new VfError(
    'internal/unexpected',
    `validating ${task.key} left no trace: ${episode.errors[0]?.message}`,
  );
}

/** No model is called, so what a judge would say is left out. */
function withoutJudges(taskset: TasksetPlan): TasksetPlan {
  const { next, ...spec } = taskset.spec;
  return {
    ...taskset,
    rewards: taskset.rewards.filter(({ score }) => judgesOf(score).length === 0),
    metrics: taskset.metrics.filter(({ score }) => judgesOf(score).length === 0),
    spec: next === undefined || judgesOf(next).length > 0 ? spec : { ...spec, next },
  };
}

/** The taskset without any. */
function withoutReference(taskset: TasksetPlan): TasksetPlan {
  const { validate: _validate, ...spec } = taskset.spec;
  return { ...taskset, spec };
}

function hasFullMarks(trace: Trace): boolean {
  return Object.values(trace.rewards).every(
    (record) => record === null || record.weight <= 0 || record.score >= 1,
  );
}

function describe(trace: Trace): string {
  const parts = Object.entries(trace.rewards).map(
    ([name, record]) => `${name} ${record === null ? '–' : record.score}`,
  );
  return `${trace.reward} (${parts.join(', ')})`;
}

interface TaskProblem {
  readonly text: string;
  /** Without what differs from one box to the next. */
  readonly told: string;
}

/** What its last try failed of, each once. */
function problemsOf({ errors }: Trace): TaskProblem[] {
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

/** A role whose agent performs the reference solution where there is one, and else does nothing at all. */
function modelLessRole({ runtime }: ValidateOptions): RolePlan {
  return {
    name: 'agent',
    trainable: false,
    scored: true,
    harness: {
      id: 'nobody',
      version: null,
      config: {},
      env: {},
      spec: {
        speaks: [],
        capabilities: { callsModel: false },
        open: async ({ reference }) => ({
          turn: async (_prompt, turnSignal) => {
            const solution = await reference?.(turnSignal);
            return { status: 'completed', ...solution };
          },
          close: async () => undefined,
        }),
      },
    },
    dialect: '',
    runtime,
    model: '',
    client: {
      send: () => Promise.reject(new SendFailed('unreachable', 'validating calls no model')),
    },
    sampling: {},
    price: null,
    limits: {},
    timeouts: {},
    timeoutMultiplier: 1,
    retries: { maxRetries: 2, rules: [], baseDelayMs: 1_000, maxDelayMs: 10_000 },
    keepFailedBoxes: false,
  };
}

const nobodyListens: Interception = {
  open: async () => ({
    endpoint: { url: 'http://127.0.0.1:9', bearer: '' },
    inFlight: 0,
    mount: () => 'http://127.0.0.1:9',
    halt: () => undefined,
    close: async () => undefined,
  }),
};

function servicesOf({ secrets, log, places }: PlayOptions, of: PlayName): Services {
  return {
    interception: nobodyListens,
    toolHost: null,
    sideModels: new RunSideModels([], { get: async () => null, add: async () => undefined }),
    clock: systemClock,
    random: Math.random,
    newId: () => randomUUID().replaceAll('-', ''),
    log: () => log,
    labels: (rollout) => ({
      run: 'validate',
      rollout,
      host: hostname(),
      pid: process.pid,
      started: Math.round(performance.timeOrigin),
    }),
    secret: (name) => secrets.take(name),
    artifactDir: () => places.dirOf(of),
    observer: {},
  };
}
