import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenTraceOptions } from '@vf/testkit';
import { expect, test } from 'vitest';
import { completedRollouts } from '../src/index.ts';
import type { CompletedRollout } from '../src/index.ts';

async function rolloutOf(options: TokenTraceOptions): Promise<CompletedRollout | undefined> {
  const trace = makeTokenTrace(options);
  async function* episodes() {
    const episode = { ...makeEpisode({ attempt: 2 }), task: trace.task, traces: [trace] };
    yield await Promise.resolve(encodeEpisode(episode));
  }
  const omit = (): never => expect.fail('it trains');
  for await (const rollout of completedRollouts({ episodes: episodes(), omit })) return rollout;
  return undefined;
}

test('a triplet for each call with its own prompt; the reward stands on the last', async () => {
  const rollout = await rolloutOf({
    rewards: { correct: 0 },
    nodes: [
      [null, 'u', 0, [1, 2], '00'],
      [0, 'a', 1, [3, 4], '01'],
      [1, 't', 0, [5], '0'],
      [2, 'a', 1, [3, 6], '01'],
    ],
  });
  const server = { model: 'scripted' };
  expect(rollout).toMatchObject({
    rollout_id: 'rollout-1',
    data_id: 'sum-1',
    sample_idx_in_step: 1,
    final_reward: 0,
    rollout_state: 'succeeded',
    triplets: [
      {
        prompt: { token_ids: [1, 2, 3] },
        response: { token_ids: [4], log_probs: [-0.5] },
        reward: null,
        metadata: { server },
      },
      {
        prompt: { token_ids: [1, 2, 3, 4, 5, 3] },
        response: { token_ids: [6], log_probs: [-0.5] },
        reward: 0,
        metadata: { server },
      },
    ],
  });
});

test('a reply without a token is no triplet; logprobs that are not known are null', async () => {
  const rollout = await rolloutOf({
    logprob: null,
    nodes: [
      [null, 'u', 0, [1], '0'],
      [0, 'a', 1, [2, 3], '01'],
      [1, 'u', 0, [4], '0'],
      [2, 'a', 1, [5], '0'],
    ],
  });
  expect(rollout?.triplets).toMatchObject([
    { response: { token_ids: [3], log_probs: null }, reward: 1 },
  ]);
});
