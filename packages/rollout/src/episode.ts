import type { AnyAgent, Box, Conversation, Episode, Rollout, RunOptions, Trace } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { Attempt } from './attempt.ts';
import { Boxes } from './boxes.ts';
import { giveReward } from './given-rewards.ts';
import type { EpisodePlan, RolePlan, Services, TaskInstance } from './plan.ts';
import { finish, newTrace, playRollout, tracedRow } from './rollout.ts';
import type { RolloutInit } from './rollout.ts';
import { withOwnSeed } from './rollout-seed.ts';
import { cancelled } from './stage.ts';
import { note, traceError } from './trace-error.ts';
import { within } from './within.ts';

/**
 * Plays one episode: the environment decides which roles run on what. All boxes are freed at its end, on success,
 * error and cancel alike. Failures are on the traces and on the episode; nothing is thrown.
 */
export async function playEpisode(a: {
  readonly id: string;
  readonly attempt: number;
  readonly plan: EpisodePlan;
  readonly task: TaskInstance;
  readonly services: Services;
  readonly signal: AbortSignal;
}): Promise<Episode> {
  const table = new EpisodeTable(a.plan, a.task, a.attempt, a.services, a.signal);
  const errors = await table.play();
  const traces = table.traces;
  return {
    id: a.id,
    env: { id: a.plan.environment.id },
    task: traces[0]?.task ?? {
      type: a.plan.taskset.name,
      key: a.task.key,
      hash: a.task.hash,
      data: tracedRow(a.task),
    },
    attempt: a.attempt,
    run: a.plan.run,
    traces,
    errors,
    ok: errors.length === 0 && traces.length > 0 && traces.every((trace) => trace.ok),
    isTimeout: traces.some((trace) => trace.isTimeout),
  };
}

class EpisodeTable {
  readonly #plan: EpisodePlan;
  readonly #task: TaskInstance;
  readonly #attempt: number;
  readonly #services: Services;
  readonly #signal: AbortSignal;
  readonly #boxes = new Boxes();
  /** Rollouts begun, by role. */
  readonly #begun = new Map<string, number>();
  readonly traces: Trace[] = [];

  constructor(
    plan: EpisodePlan,
    task: TaskInstance,
    attempt: number,
    services: Services,
    signal: AbortSignal,
  ) {
    this.#plan = plan;
    this.#task = task;
    this.#attempt = attempt;
    this.#services = services;
    this.#signal = signal;
  }

  async play(): Promise<Episode['errors']> {
    const { spec, config } = this.#plan.environment;
    const agents = Object.fromEntries(
      Object.values(this.#plan.roles).map((role) => [role.name, this.#agent(role)]),
    );
    const ctx = {
      task: this.#task.task,
      agents,
      config,
      signal: this.#signal,
      reward: ({ trace }: Rollout, name: string, score: number | null, weight?: number) =>
        giveReward(trace, name, score, weight),
      choose,
    };
    try {
      this.#signal.throwIfAborted();
      await within(spec.play(ctx), this.#signal);
      return [];
    } catch (error) {
      const failure = this.#signal.aborted
        ? cancelled(this.#signal)
        : toVfError(error, 'taskset/hook_failed', `environment ${this.#plan.environment.id}`);
      return [traceError(failure)];
    } finally {
      const problems = await this.#boxes.close();
      for (const problem of problems)
        this.#services
          .log(this.traces.at(-1)?.id ?? '')
          .warn('a box was not freed or kept as it should be', { error: String(problem) });
    }
  }

  #agent(role: RolePlan): AnyAgent {
    return {
      run: async (task, options) => {
        const init = this.#rollout(role, task, options);
        const played = await playRollout(init);
        return this.#done(played.trace, played.box);
      },
      open: async (task, options) => this.#open(this.#rollout(role, task, options)),
    };
  }

  async #open(init: RolloutInit): Promise<Conversation> {
    const trace = newTrace(init, null);
    const attempt = new Attempt({ ...init, trace });
    init.services.observer.started?.(trace);
    let failure: VfError | null = null;
    const guarded = async <T>(work: () => Promise<T>): Promise<T | null> => {
      if (failure !== null) return null;
      try {
        return await work();
      } catch (error) {
        failure = note(trace, error, attempt.phase);
        return null;
      }
    };
    await guarded(async () => {
      await attempt.boot();
      await attempt.setup();
      attempt.begin();
    });
    return {
      say: (text) =>
        guarded(async () =>
          trace.stopCondition === null ? attempt.say(text, this.#signal) : null,
        ),
      end: async () => {
        await attempt
          .endAgent()
          .catch((error: unknown) => (failure ??= note(trace, error, attempt.phase)));
        trace.stopCondition ??= 'user_closed';
        await guarded(() => attempt.finalize());
        await guarded(() => attempt.score());
        const { box } = finish(init, attempt, trace, failure);
        return this.#done(trace, box);
      },
    };
  }

  #rollout(role: RolePlan, task: object, options: RunOptions | undefined): RolloutInit {
    const instance = this.#instance(task);
    return {
      role: role.seedEach === true ? this.#seeded(role, instance) : role,
      task: instance,
      taskset: instance.key === this.#task.key ? this.#plan.taskset : null,
      boxes: this.#boxes,
      services: this.#services,
      signal: this.#signal,
      ...(options?.runtime === undefined ? {} : { box: this.#boxes.find(options.runtime) }),
      ...(options?.state === undefined ? {} : { state: options.state }),
    };
  }

  #seeded(role: RolePlan, { key }: TaskInstance): RolePlan {
    const nth = this.#begun.get(role.name) ?? 0;
    this.#begun.set(role.name, nth + 1);
    const place = { task: key, attempt: this.#attempt, role: role.name, nth };
    return { ...role, sampling: withOwnSeed(role.sampling, place) };
  }

  /** The run's own task, a variant of it under the same key, or a task that the environment made up. */
  #instance(task: object): TaskInstance {
    if (task === this.#task.task) return this.#task;
    const key =
      'key' in task && typeof task.key === 'string'
        ? task.key
        : `${this.#task.key}#${this.traces.length + 1}`;
    return { key, hash: this.#task.hash, row: { ...task }, task: { ...task, key } };
  }

  #done(trace: Trace, box: Box | null): Rollout {
    this.traces.push(trace);
    if (box === null) return { trace, runtime: missingBox };
    return { trace, runtime: box };
  }
}

function choose(rollout: Rollout): void {
  rollout.trace.info['chosen'] = true;
}

/** Stands for the box of a rollout that never got one: any use says so. */
const missingBox: Rollout['runtime'] = new Proxy({} as Rollout['runtime'], {
  get(_target, property) {
    if (property === 'id') return 'none';
    throw new VfError(
      'runtime/box_gone',
      `the rollout has no box (runtime.${String(property)} was used)`,
    );
  },
});
