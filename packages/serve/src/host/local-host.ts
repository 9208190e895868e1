import type { Log } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { EpisodePlayer, templateOptions } from '@vf/run';
import type { RunPlan, Secrets } from '@vf/run';
import { EpisodeDeltas } from '../episode/deltas.ts';
import { ClientPool } from '../request/clients.ts';
import { RunRequests } from '../request/run-request.ts';
import type { RunHost } from './run-host.ts';

export interface LocalHostOptions {
  readonly plan: RunPlan;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** Plays episodes in this process. @throws VfError interception/failed when no port can be listened on */
export async function startLocalHost({ plan, secrets, log }: LocalHostOptions): Promise<RunHost> {
  const player = await EpisodePlayer.start({ plan, secrets, log });
  const { type, train } = plan.config.client;
  const rendererOptions = {
    ...train.rendererOptions,
    ...(type === 'train' ? templateOptions(plan.config.sampling) : {}),
  };
  const clients = new ClientPool(secrets, { ...train, rendererOptions });
  const requests = new RunRequests({
    taskset: plan.episode.taskset,
    byKey: new Map(plan.tasks.map((task) => [task.key, task])),
  });
  return {
    async run(payload, events, signal) {
      const { task, client: spec, model, sampling } = requests.read(payload);
      const deltas = new EpisodeDeltas(task, events);
      try {
        return await clients.use(spec, model, async (client) => {
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
