import type { AnyAgent, Box, Episode, Rollout, RunOptions, Trace } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { Boxes } from './boxes.ts';
import { openConversation } from './conversation.ts';
import { giveReward } from './given-rewards.ts';
import type { EpisodePlan, RolePlan, Services, TaskInstance } from './plan.ts';
import { playRollout, tracedRow } from './rollout.ts';
import type { RolloutInit } from './rollout.ts';
import { withOwnSeed } from './rollout-seed.ts';
import { cancelled } from './stage.ts';
import { traceError } from './trace-error.ts';
import { within } from './within.ts';

interface EpisodeInit {
  readonly id: string;
  /** Of its task, from 1. */
  readonly attempt: number;
  readonly plan: EpisodePlan;
  readonly task: TaskInstance;
  readonly services: Services;
  readonly signal: AbortSignal;
}

/**
 * Plays one episode: the environment decides which roles run on what. All boxes are freed at its end, on success,
 * error and cancel alike. Failures are on the traces and on the episode; nothing is thrown.
 */
export async function playEpisode(init: EpisodeInit): Promise<Episode> {
  const { id, attempt, plan, task } = init;
  const table = new EpisodeTable(init);
  const errors = await table.play();
  const { traces } = table;
  return {
    id,
    env: { id: plan.environment.id },
    task: traces[0]?.task ?? {
      type: plan.taskset.name,
      key: task.key,
      hash: task.hash,
      data: tracedRow(task),
    },
    attempt,
    run: plan.run,
    traces,
    errors,
    ok: errors.length === 0 && traces.length > 0 && traces.every((trace) => trace.ok),
    isTimeout: traces.some((trace) => trace.isTimeout),
  };
}

/** The rollouts of one episode, and the boxes that they share. */
class EpisodeTable {
  readonly #init: EpisodeInit;
  readonly #boxes = new Boxes();
  /** Rollouts begun, by role. */
  readonly #begun = new Map<string, number>();
  readonly traces: Trace[] = [];

  constructor(init: EpisodeInit) {
    this.#init = init;
  }

  async play(): Promise<Episode['errors']> {
    const { plan, task, services, signal } = this.#init;
    const { id, spec, config } = plan.environment;
    const roles = Object.values(plan.roles);
    const ctx = {
      task: task.task,
      agents: Object.fromEntries(roles.map((role) => [role.name, this.#agent(role)])),
      config,
      signal,
      reward: ({ trace }: Rollout, name: string, score: number | null, weight?: number) =>
        giveReward(trace, name, score, weight),
      choose,
    };
    try {
      signal.throwIfAborted();
      await within(spec.play(ctx), signal);
      return [];
    } catch (error) {
      if (signal.aborted) return [traceError(cancelled(signal))];
      return [traceError(toVfError(error, 'taskset/hook_failed', `environment ${id}`))];
    } finally {
      for (const problem of await this.#boxes.close())
        services
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
      open: async (task, options) =>
        openConversation(this.#rollout(role, task, options), ({ trace, box }) =>
          this.#done(trace, box),
        ),
    };
  }

  #rollout(role: RolePlan, task: object, options: RunOptions | undefined): RolloutInit {
    const { plan, task: own, services, signal } = this.#init;
    const instance = this.#instance(task);
    return {
      role: role.seedEach === true ? this.#seeded(role, instance) : role,
      task: instance,
      taskset: instance.key === own.key ? plan.taskset : null,
      boxes: this.#boxes,
      services,
      signal,
      ...(options?.runtime === undefined ? {} : { box: this.#boxes.find(options.runtime) }),
      ...(options?.state === undefined ? {} : { state: options.state }),
    };
  }

  #seeded(role: RolePlan, { key }: TaskInstance): RolePlan {
    const nth = this.#begun.get(role.name) ?? 0;
    this.#begun.set(role.name, nth + 1);
    const place = { task: key, attempt: this.#init.attempt, role: role.name, nth };
    return { ...role, sampling: withOwnSeed(role.sampling, place) };
  }

  /** The run's own task, a variant of it under the same key, or a task that the environment made up. */
  #instance(task: object): TaskInstance {
    const own = this.#init.task;
    if (task === own.task) return own;
    const key =
      'key' in task && typeof task.key === 'string'
        ? task.key
        : `${own.key}#${this.traces.length + 1}`;
    return { key, hash: own.hash, row: { ...task }, task: { ...task, key } };
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
