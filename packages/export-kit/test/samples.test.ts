import { makeTokenTrace } from '@vf/testkit';
import type { TokenNode } from '@vf/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { promptIdsOf, samplesOf, tokenCallsOf } from '../src/index.ts';
import type { Sample } from '../src/index.ts';
import graphs from './fixtures/graphs.json' with { type: 'json' };

interface Graph {
  readonly id: string;
  readonly nodes: readonly TokenNode[];
  /** Token ids of each branch. */
  readonly branches: readonly (readonly number[])[];
  /** For each sample: 1 where a token trains. */
  readonly trainable?: readonly string[];
}

const all: readonly Graph[] = JSON.parse(JSON.stringify(graphs));

const idsOf = ({ promptIds, responseIds }: Sample): number[] => [...promptIds, ...responseIds];
const bitsOf = ({ promptIds, mask }: Sample): string =>
  `${'0'.repeat(promptIds.length)}${mask.join('')}`;

describe.each(all)('$id', ({ nodes, branches }) => {
  const samples = samplesOf(makeTokenTrace({ nodes }));

  test('a sample is a branch, token for token', () => {
    for (const sample of samples) expect(branches).toContainEqual(idsOf(sample));
  });

  test('each reply was sampled after the ids of its path', () => {
    const trace = makeTokenTrace({ nodes });
    for (const { node, responseIds } of tokenCallsOf(trace)) {
      const path = trace.graph.pathTo(node).flatMap((at) => nodes[at]?.[3] ?? []);
      expect([...promptIdsOf(trace, node), ...responseIds]).toEqual(path);
      const sampled = nodes[node]?.[4].match(/1/g) ?? [];
      expect(responseIds).toHaveLength(sampled.length);
    }
  });
});

const shared = all.filter(({ trainable }) => trainable !== undefined);

test.each(shared)('a shared reply trains once: $id', ({ nodes, trainable }) => {
  expect(samplesOf(makeTokenTrace({ nodes })).map(bitsOf)).toEqual(trainable);
});

/** Trees whose every reply has its own token ids, so that each can be told apart. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(),
      isReply: fc.boolean(),
      scaffold: fc.nat({ max: 2 }),
      sampled: fc.nat({ max: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) =>
    steps.map(({ parent, isReply, scaffold, sampled }, at): TokenNode => {
      const count = isReply ? sampled : 0;
      const ids = Array.from({ length: scaffold + count }, (_, offset) => at * 10 + offset);
      const mask = `${'0'.repeat(scaffold)}${'1'.repeat(count)}`;
      return [at === 0 ? null : parent % at, isReply ? 'a' : 'u', isReply ? 1 : 0, ids, mask];
    }),
  );

test('over all samples every sampled token trains exactly once, and nothing else does', () => {
  fc.assert(
    fc.property(trees, (nodes) => {
      const trained = samplesOf(makeTokenTrace({ nodes })).flatMap((sample) =>
        sample.responseIds.filter((_, at) => sample.mask[at] === 1),
      );
      const sampled = nodes.flatMap(([, , , ids, mask]) => ids.filter((_, at) => mask[at] === '1'));
      expect(trained.toSorted((a, b) => a - b)).toEqual(sampled.toSorted((a, b) => a - b));
    }),
  );
});

test('logprobs are those of the trained tokens, 0 elsewhere', () => {
  const nodes: TokenNode[] = [
    [null, 'u', 0, [1], '0'],
    [0, 'a', 1, [2, 3], '01'],
    [1, 'u', 0, [4], '0'],
    [2, 'a', 1, [5, 6], '01'],
  ];
  const [sample] = samplesOf(makeTokenTrace({ nodes, logprob: -0.1234 }));
  expect(sample).toMatchObject({
    responseIds: [3, 4, 5, 6],
    mask: [1, 0, 0, 1],
    logprobs: [-0.1234, 0, 0, -0.1234],
    turns: 2,
    messages: 4,
  });
});

test('an engine without logprobs gives none, never zeros', () => {
  const nodes: TokenNode[] = [[null, 'a', 1, [1, 2], '11']];
  const trace = makeTokenTrace({ nodes, logprob: null });
  expect(samplesOf(trace)[0]?.logprobs).toBeNull();
  expect(tokenCallsOf(trace)[0]?.logprobs).toBeNull();
});

test('advantages that a trainer has assigned are those of the trained tokens; never assigned is not 0', () => {
  const nodes: TokenNode[] = [
    [null, 'u', 0, [1], '0'],
    [0, 'a', 1, [2, 3, 4], '011'],
    [1, 'u', 0, [5], '0'],
    [2, 'a', 1, [6, 7], '01'],
  ];
  const trace = makeTokenTrace({ nodes });
  expect(samplesOf(trace)[0]?.advantages).toBeNull();
  const reply = trace.graph.nodes[1];
  if (reply?.tokens === undefined) throw new Error('the reply has no tokens');
  Object.assign(reply.tokens, { advantages: Float32Array.of(0.1, -0.1) });
  expect(samplesOf(trace)[0]?.advantages).toEqual([0.1, -0.1, 0, 0, 0]);
});

test('a prompt of any length may stand on its reply', () => {
  const prompt = Array.from({ length: 200_000 }, (_, at) => at);
  const nodes: TokenNode[] = [[null, 'a', 1, [...prompt, 7], `${'0'.repeat(prompt.length)}1`]];
  const trace = makeTokenTrace({ nodes });
  expect(promptIdsOf(trace, 0)).toEqual(prompt);
  expect(tokenCallsOf(trace)[0]?.responseIds).toEqual([7]);
});
