import type { EpisodeRecord, Omission, Trace } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { makeEpisode, makeTokenTrace, makeTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';
import { expect, test } from 'vitest';
import { trainableTraces } from '../src/index.ts';

const nodes: readonly TokenNode[] = [
  [null, 'u', 0, [1, 2], '00'],
  [0, 'a', 1, [3, 4], '01'],
  [1, 'u', 0, [5], '0'],
  [2, 'a', 1, [6], '1'],
];

async function* one(record: EpisodeRecord): AsyncGenerator<EpisodeRecord, void> {
  yield await Promise.resolve(record);
}

/** What is left out of an episode of this trace. */
async function omitted(
  trace: Trace,
  demands = { logprobs: true },
): Promise<Pick<Omission, 'reason' | 'detail'>[]> {
  const omissions: Omission[] = [];
  const episode = { ...makeEpisode(), task: trace.task, traces: [trace], ok: trace.ok };
  const source = {
    episodes: one(encodeEpisode(episode)),
    omit: (o: Omission) => omissions.push(o),
  };
  let taken = 0;
  for await (const { reward } of trainableTraces(source, demands))
    taken += Number.isFinite(reward) ? 1 : 0;
  expect(taken + omissions.length).toBe(1);
  return omissions.map(({ reason, detail }) => ({
    reason,
    ...(detail === undefined ? {} : { detail }),
  }));
}

test('a scored trace with all its tokens trains', async () => {
  expect(await omitted(makeTokenTrace({ nodes }))).toEqual([]);
});

test('a relayed trace names how many replies lack ids, and the model', async () => {
  expect(await omitted(makeTrace())).toEqual([
    { reason: 'replies have no token ids', detail: '1 of 1, scripted gave text alone' },
  ]);
});

test('one reply without ids is enough', async () => {
  const some = nodes.map((node): TokenNode => (node[0] === 2 ? [2, 'a', 1, [], ''] : node));
  expect(await omitted(makeTokenTrace({ nodes: some }))).toEqual([
    { reason: 'replies have no token ids', detail: '1 of 2, scripted gave text alone' },
  ]);
});

test('logprobs are demanded only where they are needed', async () => {
  const trace = makeTokenTrace({ nodes, logprob: null });
  expect(await omitted(trace)).toEqual([
    { reason: 'sampled tokens have no logprobs', detail: 'nodes 1, 3' },
  ]);
  expect(await omitted(trace, { logprobs: false })).toEqual([]);
});

test('what has no score is left out, and never scored as 0', async () => {
  const unscored = makeTokenTrace({ nodes, rewards: { correct: null } });
  unscored.errors.push({ type: 'scoring/timeout', message: 'too long' });
  expect(await omitted(unscored)).toEqual([
    { reason: 'it has no score', detail: 'scoring/timeout: too long' },
  ]);
  const unfinished = Object.assign(makeTokenTrace({ nodes }), { isCompleted: false, ok: false });
  expect(await omitted(unfinished)).toEqual([{ reason: 'it was not completed' }]);
});

test('a reply that the agent saw otherwise does not train', async () => {
  const trace = makeTokenTrace({ nodes: [] });
  trace.graph.restore({
    parent: null,
    message: { role: 'assistant', content: 'secret' },
    said: { role: 'assistant', content: 'hidden' },
    sampled: true,
    timestamp: 1,
  });
  expect(await omitted(trace)).toEqual([
    { reason: 'replies were rewritten by a hook', detail: 'node 0' },
  ]);
});

test('an empty trace and an agent that is not trained are named', async () => {
  expect(await omitted(makeTokenTrace({ nodes: [] }))).toEqual([
    { reason: 'no reply was sampled' },
  ]);
  const judge = makeTokenTrace({ nodes, agent: { name: 'judge', trainable: false } });
  expect(await omitted(judge)).toEqual([{ reason: 'its agent is not trained' }]);
});
