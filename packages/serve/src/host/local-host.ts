import type { Log, Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { EpisodePlayer, samplingProblems, templateOptions } from '@vf/run';
import type { RunConfig, RunPlan, Secrets } from '@vf/run';
import { EpisodeDeltas } from '../episode/deltas.ts';
import { ClientPool } from '../request/clients.ts';
import { RunRequests } from '../request/run-request.ts';
import type { RunHost } from './run-host.ts';

export interface LocalHostOptions {
  readonly plan: RunPlan;
  readonly secrets: Secrets;
  readonly log: Log;
}

/**
 * Refuses settings that the engine would not hear of, before anything is played.
 * @throws VfError misfit/plan
 */
function samplingCheck({
  client,
  sampling: base,
}: RunConfig): (sampling: Sampling) => Promise<void> {
  const engine = client.train.engine ?? 'vllm';
  // The requests of a group bring the same settings.
  const passed = new WeakSet<Sampling>();
  return async (sampling) => {
    if (passed.has(sampling)) return;
    const { train } = client;
    const asked = { type: 'train', train: { ...train, engine } } as const;
    const said = withoutRouting({ ...base, ...sampling });
    const problems = await samplingProblems({ ...client, ...asked }, said);
    if (problems.length > 0) {
      const named = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
      throw new VfError('misfit/plan', named, {
        hint: problems[0]?.fix ?? 'leave it out',
        problems,
      });
    }
    passed.add(sampling);
  };
}

/** Trainers send these with every request; an engine that has no use for them samples the same. */
function withoutRouting({ extra = {}, ...sampling }: Sampling): Sampling {
  const { cache_salt: _salt, priority: _priority, ...rest } = extra;
  return { ...sampling, extra: rest };
}

/** Plays episodes in this process. @throws VfError interception/failed when no port can be listened on */
export async function startLocalHost({ plan, secrets, log }: LocalHostOptions): Promise<RunHost> {
  const player = await EpisodePlayer.start({ plan, secrets, log });
  const { type, train } = plan.config.client;
  const rendererOptions = {
    ...train.rendererOptions,
    ...(type === 'train' || train.engine !== null ? templateOptions(plan.config.sampling) : {}),
  };
  const clients = new ClientPool(secrets, { ...train, rendererOptions });
  const refuse = samplingCheck(plan.config);
  const requests = new RunRequests({
    taskset: plan.episode.taskset,
    byKey: new Map(plan.tasks.map((task) => [task.key, task])),
  });
  return {
    async run(payload, events, signal) {
      const { task, client: spec, model, sampling } = requests.read(payload);
      if (spec.train !== null) await refuse(sampling);
      const deltas = new EpisodeDeltas(task, events);
      try {
        return await clients.use(spec, model, async (client) => {
          for (const note of client.notes ?? []) events.noted(note);
          const { observer } = deltas;
          const request = { task: task.instance, client, model, sampling, observer };
          const episode = await player.play(request, signal);
          if (signal.aborted && !episode.ok)
            throw new VfError('cancelled', 'the rollout was cancelled');
          return deltas.finish(episode);
        });
      } finally {
        deltas.stop();
      }
    },
    counts: () => ({ workers: 1, workers_lost: 0 }),
    get boxes() {
      return player.boxes;
    },
    cleanup: () => player.cleanup(),
    async close() {
      await player.close();
      await clients.close();
    },
  };
}
