import { describe, expect, it } from 'vitest';
import { asSaid, assistant, user } from '../../test/messages.ts';
import type { WrittenTokenTurn } from '../../test/token-turns.ts';
import { messageOf, restored, takeTokens, turnTokens } from '../../test/token-turns.ts';
import cases from '../../test/vectors/token-cases.json' with { type: 'json' };
import { branchesOf } from './branch.ts';
import { tokensOf } from './branch-tokens.ts';
import { checkNodes } from './codec/nodes.ts';
import { MessageGraph } from './graph.ts';
import type { TraceNode } from './node.ts';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly turns: readonly (WrittenTokenTurn | string)[];
  readonly nodes: readonly unknown[];
  readonly branches: readonly (readonly number[])[];
  readonly trainable?: readonly string[];
  readonly content?: readonly string[];
  readonly logprobs?: readonly (readonly number[])[];
}

const list: readonly Case[] = cases;

const bits = (values: Uint8Array | null | undefined): string => [...(values ?? [])].join('');
const idsOf = (node: TraceNode): readonly number[] => [...(node.tokens?.ids ?? [])];

const shape = (graph: MessageGraph) =>
  graph.nodes.map((node) => [
    node.parent,
    node.message.role[0],
    Number(node.sampled),
    idsOf(node),
    bits(node.tokens?.mask),
  ]);

function played(turns: Case['turns']): MessageGraph {
  let graph = new MessageGraph();
  for (const turn of turns) {
    if (typeof turn === 'string') graph = restored(graph);
    else takeTokens(graph, turn);
  }
  return graph;
}

const fail = (path: string, reason: string): never => {
  throw new Error(`${path} ${reason}`);
};

describe('a turn with tokens', () => {
  it.each(list)('$id $name [graph/token-case-list]', (known) => {
    const graph = played(known.turns);
    expect(shape(graph)).toEqual(known.nodes);
    const branches = branchesOf(graph);
    expect(branches.map(({ nodes }) => nodes.flatMap(idsOf))).toEqual(known.branches);
    checkNodes(graph.nodes, '', fail);
  });

  it.each(list.filter(({ trainable }) => trainable !== undefined))(
    '$id trains each sampled token in one branch [graph/trained-once]',
    ({ turns, trainable }) => {
      const graph = played(turns);
      const masks = branchesOf(graph).map(({ nodes, path, trains }) =>
        nodes
          .map(({ tokens }, at) =>
            bits(tokens?.mask).replaceAll('1', trains.includes(path[at] ?? -1) ? '1' : '0'),
          )
          .join(''),
      );
      expect(masks.filter((mask) => mask.includes('1'))).toEqual(trainable);
    },
  );

  it.each(list.filter(({ logprobs }) => logprobs !== undefined))(
    '$id gives each token of a branch its logprob, 0 where it was not sampled [graph/branch-tokens]',
    ({ turns, logprobs }) => {
      const told = branchesOf(played(turns)).map((branch) => [
        ...(tokensOf(branch).logprobs ?? []),
      ]);
      expect(told).toEqual(logprobs?.map((values) => [...Float32Array.from(values)]));
    },
  );

  it.each(list.filter(({ content }) => content !== undefined))(
    '$id keeps what is content, or says nothing of it [graph/content-marks]',
    ({ turns, content }) => {
      expect(played(turns).nodes.map(({ tokens }) => bits(tokens?.isContent))).toEqual(content);
    },
  );
});

describe('a fork by tokens', () => {
  const first: WrittenTokenTurn = {
    prompt: ['u:hi'],
    ids: [1, 2, 3, 4],
    spans: [[0, 3]],
    reply: 'a:yo',
    completion: [5, 6],
  };
  const redrawn: WrittenTokenTurn = {
    prompt: ['u:hi', 'a:yo', 'u:go'],
    ids: [1, 2, 3, 4, 55, 6, 7, 8, 9, 4],
    spans: [
      [0, 3],
      [3, 7],
      [7, 9],
    ],
    reply: 'a:ok',
    completion: [10, 6],
  };

  it('says so, and is not made twice [graph/token-fork]', () => {
    const graph = new MessageGraph();
    expect(takeTokens(graph, first).forked).toBeUndefined();
    expect(takeTokens(graph, redrawn).forked).toBe(true);
    const before = graph.nodes.length;
    takeTokens(graph, redrawn);
    expect(graph.nodes.length).toBe(before + 1);
  });

  it('is followed by an agent that restates its reply in its own way [graph/token-fork-restated]', () => {
    const graph = new MessageGraph();
    takeTokens(graph, first);
    takeTokens(graph, redrawn);
    const restates = () => true;
    const said = [user('hi'), assistant('yo, restated'), user('go'), assistant('ok'), user('x')];
    const { at, matched } = graph.walk(graph.start([]), said, restates);
    expect({ matched, parent: at.node }).toEqual({ matched: 4, parent: 4 });
  });

  it.each([
    ['a negative id', { ids: [1, -2], completion: [3] }],
    ['a logprob too few', { ids: [1], completion: [3, 4], logprobs: [-1] }],
    ['a positive logprob', { ids: [1], completion: [3], logprobs: [0.5] }],
    ['a logprob that is no number', { ids: [1], completion: [3], logprobs: [Number.NaN] }],
  ])('refuses %s and records nothing [graph/token-check]', (_, tokens) => {
    const graph = new MessageGraph();
    const turn = turnTokens({ prompt: ['u:hi'], spans: [], ...tokens });
    const commit = (): unknown =>
      graph.commit(
        graph.start([]),
        asSaid([messageOf('u:hi')]),
        { message: assistant('yo'), turn },
        { timestamp: 1 },
      );
    expect(commit).toThrow(RangeError);
    expect(graph.nodes).toEqual([]);
  });
});
