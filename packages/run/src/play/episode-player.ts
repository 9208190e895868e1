import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client, Episode, Log, Sampling } from '@vf/core';
import { startInterception } from '@vf/interception';
import type { InterceptionServer } from '@vf/interception';
import { playEpisode } from '@vf/rollout';
import type { EpisodePlan, RolePlan, RolloutObserver, Services, TaskInstance } from '@vf/rollout';
import { toolHost } from '@vf/toolset';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Secrets } from '../secrets.ts';
import { RunSideModels } from '../side/run-side-models.ts';
import { systemClock } from '../system-clock.ts';
import { maskErrors } from './mask-errors.ts';
import { StandingBoxes } from './tracked-boxes.ts';

export interface EpisodePlayerOptions {
  readonly plan: RunPlan;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** One episode that somebody asks for. */
export interface EpisodeRequest {
  readonly task: TaskInstance;
  /** What answers the roles that have no model of their own in the config. */
  readonly client: Client;
  readonly model: string;
  /** Wins over the run's `[sampling]`; a role's own wins over it. */
  readonly sampling: Sampling;
  readonly observer: RolloutObserver;
}

/** Plays episodes of one plan as they are asked for, any number at once, and keeps nothing on disk. */
export class EpisodePlayer {
  readonly #options: EpisodePlayerOptions;
  readonly #interception: InterceptionServer;
  readonly #sideModels: RunSideModels;
  readonly #boxes = new StandingBoxes();
  readonly #run = { id: randomUUID() };
  readonly #startedMs = Date.now();

  private constructor(options: EpisodePlayerOptions, interception: InterceptionServer) {
    this.#options = options;
    this.#interception = interception;
    this.#sideModels = new RunSideModels(options.plan.sideModels, forgetful);
  }

  /** @throws VfError interception/failed when no port can be listened on */
  static async start(options: EpisodePlayerOptions): Promise<EpisodePlayer> {
    const { multiplex, earlyHead, clientGoneGrace } = options.plan.config.interception;
    const interception = await startInterception({
      dialects: options.plan.dialects,
      limits: { rolloutsPerServer: multiplex, earlyHead, clientGoneGrace },
      log: options.log,
    });
    return new EpisodePlayer(options, interception);
  }

  /** Failures, a cancel too, are on the episode; nothing is thrown. */
  async play(request: EpisodeRequest, signal: AbortSignal): Promise<Episode> {
    const { plan, secrets } = this.#options;
    const episode = await playEpisode({
      id: randomUUID().replaceAll('-', ''),
      attempt: 1,
      plan: { ...plan.episode, run: this.#run, roles: this.#roles(request) },
      task: request.task,
      services: this.#services(request.observer),
      signal,
    });
    maskErrors(episode, secrets);
    return episode;
  }

  /** Boxes that stand or are being made. */
  get boxes(): number {
    return this.#boxes.count;
  }

  /** Frees every box at once; for the moment before the process must go. @returns how many are left; null: not known */
  cleanup(): number | null {
    return this.#boxes.cleanup();
  }

  async close(): Promise<void> {
    await this.#interception.close();
  }

  #roles(request: EpisodeRequest): EpisodePlan['roles'] {
    const { episode, config } = this.#options.plan;
    return Object.fromEntries(
      Object.entries(episode.roles).map(([name, role]) => {
        const own = config.roles[name];
        const plugin = this.#boxes.watch(role.runtime.plugin);
        const watched: RolePlan = { ...role, runtime: { ...role.runtime, plugin } };
        const isFixed = own?.model !== undefined || own?.client !== undefined;
        if (isFixed) return [name, watched];
        const { client, model } = request;
        const sampling = { ...config.sampling, ...request.sampling, ...own?.sampling };
        // Who asks for one episode gives it its own seed.
        const asked = { client, model, sampling, seedEach: false, price: null };
        return [name, { ...watched, ...asked }];
      }),
    );
  }

  #services(observer: RolloutObserver): Services {
    const { secrets, log } = this.#options;
    return {
      interception: this.#interception,
      toolHost,
      sideModels: this.#sideModels,
      clock: systemClock,
      random: Math.random,
      newId: () => randomUUID().replaceAll('-', ''),
      log: () => log,
      labels: (rollout) => ({
        run: this.#run.id,
        rollout,
        host: hostname(),
        pid: process.pid,
        started: this.#startedMs,
      }),
      secret: (variable) => secrets.take(variable),
      artifactDir: () => null,
      observer,
    };
  }
}

/** Answers of judges are asked for anew: every rollout of a training run says something else. */
const forgetful = { get: async () => null, add: async () => undefined };
