import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace } from '@vf/testkit';
import type { TokenTraceOptions } from '@vf/testkit';
import { expect, test } from 'vitest';
import { agentLoopOutputs } from '../src/index.ts';
import type { AgentLoopOutput } from '../src/index.ts';

const nodes: TokenTraceOptions['nodes'] = [
  [null, 's', 0, [1], '0'],
  [0, 'u', 0, [2, 3], '00'],
  [1, 'a', 1, [4, 5, 6], '011'],
  [2, 't', 0, [7, 8], '00'],
  [3, 'a', 1, [4, 9], '01'],
];

async function outputsOf(options: Partial<TokenTraceOptions> = {}): Promise<AgentLoopOutput[]> {
  const trace = makeTokenTrace({ nodes, ...options });
  trace.toolCalls.push({ name: 'look', start: 10, end: 10.5, error: null });
  trace.timing.scoring = { start: 20, end: 22 };
  async function* episodes() {
    const episode = { ...makeEpisode({ attempt: 3 }), task: trace.task, traces: [trace] };
    yield await Promise.resolve(encodeEpisode(episode));
  }
  const omit = (): never => expect.fail('it trains');
  const outputs: AgentLoopOutput[] = [];
  for await (const output of agentLoopOutputs({ episodes: episodes(), omit })) outputs.push(output);
  return outputs;
}

test('prompt, response, mask and reward of a branch', async () => {
  const [output, ...others] = await outputsOf();
  expect(others).toEqual([]);
  expect(output).toMatchObject({
    prompt_ids: [1, 2, 3, 4],
    response_ids: [5, 6, 7, 8, 4, 9],
    response_mask: [1, 1, 0, 0, 0, 1],
    response_logprobs: [-0.5, -0.5, 0, 0, 0, -0.5],
    reward_score: 1,
    num_turns: 4,
    metrics: { tool_calls: 0.5, compute_score: 2, num_preempted: -1 },
    extra_fields: { group: 'sum-1', attempt: 3, branch: 0, branches: 1, model: 'scripted' },
  });
});

test('without logprobs of the engine there is no list of them', async () => {
  const [output] = await outputsOf({ logprob: null });
  expect(output).toHaveProperty('response_mask');
  expect(output).not.toHaveProperty('response_logprobs');
});
