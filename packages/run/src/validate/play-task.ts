import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Interception, Log, Trace } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { playEpisode, single } from '@vf/rollout';
import type { RolePlan, Services, TaskInstance, TasksetPlan } from '@vf/rollout';
import { judgesOf } from '../plan/side-models.ts';
import type { Secrets } from '../secrets.ts';
import { RunSideModels } from '../side/run-side-models.ts';
import { systemClock } from '../system-clock.ts';
import { modelLessRole } from './model-less-role.ts';
import type { PlayName, PlayPlaces } from './play-places.ts';

export interface PlayOptions {
  readonly taskset: TasksetPlan;
  readonly runtime: RolePlan['runtime'];
  readonly secrets: Secrets;
  readonly log: Log;
  readonly places: PlayPlaces;
}

/** One play of a task in which no model is called. */
export async function playTask(
  task: TaskInstance,
  name: PlayName,
  options: PlayOptions,
  signal: AbortSignal,
): Promise<Trace> {
  const taskset = withoutJudges(options.taskset);
  const episode = await playEpisode({
    id: randomUUID(),
    attempt: 1,
    plan: {
      run: { id: 'validate' },
      environment: { id: 'single', spec: single, config: {} },
      taskset: name === 'reference' ? taskset : withoutReference(taskset),
      roles: { agent: modelLessRole(options.runtime) },
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

function withoutReference(taskset: TasksetPlan): TasksetPlan {
  const { validate: _validate, ...spec } = taskset.spec;
  return { ...taskset, spec };
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
