import type { Episode, ExportRequest, Trace } from '@vf/core';
import { decodeEpisode } from '@vf/core/trace';
import { omissionOf } from '../omitted.ts';
import { untrainable } from './untrainable.ts';
import type { Demands } from './untrainable.ts';

/** A scored trace whose every sampled token is known. */
export interface TrainableTrace {
  readonly episode: Episode;
  readonly trace: Trace;
  /** Weighted sum of its rewards. */
  readonly reward: number;
}

/** The traces that can train, one at a time; each of the others is omitted with its reason. */
export async function* trainableTraces(
  { episodes, omit }: Pick<ExportRequest, 'episodes' | 'omit'>,
  demands: Demands,
): AsyncGenerator<TrainableTrace, void> {
  for await (const record of episodes) {
    const episode = decodeEpisode(record);
    if (episode.traces.length === 0) {
      omit(omissionOf(episode, null, { reason: 'it has no trace' }));
    }
    for (const trace of episode.traces) {
      const { reward } = trace;
      const why = trace.agent.trainable
        ? untrainable(episode, trace, demands)
        : { reason: 'its agent is not trained' };
      if (why === null && reward !== null) yield { episode, trace, reward };
      else if (why !== null) omit(omissionOf(episode, trace, why));
    }
  }
}
