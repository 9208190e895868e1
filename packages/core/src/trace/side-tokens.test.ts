import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asSaid } from '../../test/messages.ts';
import { messageOf, takeTokens, turnTokens } from '../../test/token-turns.ts';
import type { WrittenTokenTurn } from '../../test/token-turns.ts';
import type { TurnTokens } from '../contract/turn-tokens.ts';
import type { AssistantMessage } from '../message.ts';
import { tokensOf } from './branch-tokens.ts';
import { branchesOf } from './branch.ts';
import { MessageGraph } from './graph.ts';
import type { TraceNode } from './node.ts';

type Side = Pick<TurnTokens, 'routedExperts' | 'samplingMask' | 'space'>;

const first: WrittenTokenTurn = {
  prompt: ['u:hi'],
  ids: [1, 2, 3, 4],
  spans: [[0, 3]],
  reply: 'a:yo',
  completion: [5, 6],
};
const second: WrittenTokenTurn = {
  prompt: ['u:hi', 'a:yo', 'u:go'],
  ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 4],
  spans: [null, null, [7, 9]],
  reply: 'a:ok',
  completion: [10, 6],
};

function take(graph: MessageGraph, turn: WrittenTokenTurn, side: Side): void {
  const prompt = turn.prompt.map(messageOf);
  const { at, matched } = graph.walk(graph.start([]), prompt);
  const message = messageOf(turn.reply ?? 'a:') as AssistantMessage;
  const tokens = { ...turnTokens(turn), ...side };
  const tail = asSaid(prompt.slice(matched));
  graph.commit(at, tail, { message, turn: tokens }, { timestamp: 1 });
}

const experts = (start: number, ...rows: number[]): Side => ({
  routedExperts: { rows: Uint8Array.from(rows), layers: 1, topK: 1, start },
});
const mask = (ids: number[], counts: number[]): Side => ({
  samplingMask: { ids: Int32Array.from(ids), counts: Int32Array.from(counts) },
});
const rowsOf = ({ tokens }: TraceNode): number[] | null =>
  tokens?.routedExperts === undefined ? null : [...tokens.routedExperts.rows];
const lastBranch = (graph: MessageGraph) => {
  const branch = branchesOf(graph).at(-1) ?? expect.fail('no branch');
  return tokensOf(branch);
};

describe('a sampling mask [graph/side-tokens]', () => {
  it('stands on the sampled tokens of its branch', () => {
    const graph = new MessageGraph();
    take(graph, first, mask([5, 9, 6], [2, 1]));
    const { samplingMask } = lastBranch(graph);
    expect([...(samplingMask?.counts ?? [])]).toEqual([0, 0, 0, 0, 2, 1]);
    expect([...(samplingMask?.ids ?? [])]).toEqual([5, 9, 6]);
  });

  it.each([
    ['a row too many', [2, 1, 0]],
    ['an id too many', [1, 1]],
  ])('with %s is dropped, the tokens kept', (_, counts) => {
    const graph = new MessageGraph();
    take(graph, first, mask([5, 9, 6], counts));
    expect(lastBranch(graph).samplingMask).toBeNull();
    expect([...lastBranch(graph).ids]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('routed experts [graph/side-tokens]', () => {
  it('are divided among nodes; the row that was missing comes with the next prefill', () => {
    const graph = new MessageGraph();
    take(graph, first, experts(0, 1, 2, 3, 4, 5));
    expect(graph.nodes.map(rowsOf)).toEqual([
      [1, 2, 3],
      [4, 5, 5],
    ]);
    take(graph, second, experts(5, 50, 60, 70, 80, 90, 100));
    expect(graph.nodes.map(rowsOf)).toEqual([
      [1, 2, 3],
      [4, 5, 50],
      [60, 70, 80],
      [90, 100, 100],
    ]);
    expect([...(lastBranch(graph).routedExperts?.rows ?? [])]).toEqual([
      1, 2, 3, 4, 5, 50, 60, 70, 80, 90, 100, 100,
    ]);
  });

  it('that begin behind a node leave it and its branch without', () => {
    const graph = new MessageGraph();
    take(graph, first, experts(3, 1, 2, 3));
    expect(graph.nodes.map(rowsOf)).toEqual([null, [1, 2, 3]]);
    expect(lastBranch(graph).routedExperts).toBeNull();
  });

  it('become wide when a repair is', () => {
    const graph = new MessageGraph();
    take(graph, first, experts(0, 1, 2, 3, 4, 5));
    const rows = Uint16Array.of(300, 1, 2, 3, 4, 5);
    take(graph, second, { routedExperts: { rows, layers: 1, topK: 1, start: 5 } });
    expect(graph.nodes[1]?.tokens?.routedExperts?.rows).toEqual(Uint16Array.of(4, 5, 300));
  });

  it('are never of another model size, nor of part of a row', () => {
    const graph = new MessageGraph();
    take(graph, first, experts(0, 1, 2, 3, 4, 5));
    const rows = Uint8Array.from({ length: 12 }, () => 9);
    take(graph, second, { routedExperts: { rows, layers: 2, topK: 1, start: 5 } });
    expect(graph.nodes.map(rowsOf)[1]).toEqual([4, 5, 5]);
    const odd = { routedExperts: { rows: rows.slice(1), layers: 2, topK: 1, start: 0 } };
    expect(() => take(graph, first, odd)).toThrow('not whole rows');
  });

  it('are those of the last forward pass of each token, whatever the turns', () => {
    const turn = fc.record({
      said: fc.integer({ min: 1, max: 4 }),
      reply: fc.integer({ min: 1, max: 4 }),
      // How much of the past the engine tells again: all, or from the last recorded token on.
      isWhole: fc.boolean(),
    });
    const layout = fc.record({
      layers: fc.integer({ min: 1, max: 3 }),
      topK: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 6 }),
        layout,
        (turns, { layers, topK }) => {
          const width = layers * topK;
          const rowAt = (id: number): number[] =>
            Array.from({ length: width }, (_, at) => (id * 7 + at) % 251);
          const graph = new MessageGraph();
          const prompt: string[] = [];
          let ids: number[] = [];
          let next = 1;
          const fresh = (count: number): number[] => Array.from({ length: count }, () => next++);
          turns.forEach(({ said, reply, isWhole }, at) => {
            const start = isWhole ? 0 : Math.max(0, ids.length - 1);
            prompt.push(`u:${at}`);
            const message = fresh(said);
            ids = [...ids, ...message];
            const spans = prompt.map((_, index): [number, number] | null =>
              index === prompt.length - 1 ? [ids.length - said, ids.length] : null,
            );
            ids = [...ids, ...fresh(1)];
            const completion = fresh(reply);
            const all = [...ids, ...completion];
            const rows = Uint8Array.from(all.slice(start, -1).flatMap(rowAt));
            take(
              graph,
              { prompt, ids, spans, reply: `a:${at}`, completion },
              { routedExperts: { rows, layers, topK, start } },
            );
            prompt.push(`a:${at}`);
            ids = all;
          });
          const told = [...ids.slice(0, -1), ids.at(-2) ?? 0].flatMap(rowAt);
          const { routedExperts } = lastBranch(graph);
          expect([...(routedExperts?.rows ?? [])]).toEqual(told);
        },
      ),
    );
  });
});

describe('a branch as a sequence [graph/branch-tokens]', () => {
  it('has its logprobs at the sampled tokens', () => {
    const graph = new MessageGraph();
    takeTokens(graph, { ...first, logprobs: [-0.25, -0.5] });
    const { logprobs, mask: sampled, advantages, isContent } = lastBranch(graph);
    expect([...logprobs]).toEqual([0, 0, 0, 0, -0.25, -0.5]);
    expect([...sampled]).toEqual([0, 0, 0, 0, 1, 1]);
    expect([advantages, isContent]).toEqual([null, null]);
  });

  it('has the advantages of a shared reply in each branch, and its loss in the first', () => {
    const graph = new MessageGraph();
    const ends = [
      { prompt: ['u:q', 'a:a1', 'u:x'], ids: [1, 2, 3, 4, 5, 2], completion: [6], reply: 'a:b' },
      { prompt: ['u:q', 'a:a1', 'u:y'], ids: [1, 2, 3, 4, 7, 2], completion: [8], reply: 'a:c' },
    ];
    takeTokens(graph, {
      prompt: ['u:q'],
      ids: [1, 2],
      spans: [[0, 1]],
      reply: 'a:a1',
      completion: [3, 4],
    });
    for (const end of ends) takeTokens(graph, { ...end, spans: [null, null, [4, 5]] });
    const scored = new MessageGraph();
    graph.nodes.forEach((node, at) => {
      const advantages = Float32Array.of(1, 2);
      const isShared = at === 1 && node.tokens !== undefined;
      scored.restore(isShared ? { ...node, tokens: { ...node.tokens, advantages } } : node);
    });
    const branches = branchesOf(scored).map(tokensOf);
    expect(branches.map(({ advantages }) => [...(advantages ?? [])])).toEqual([
      [0, 0, 1, 2, 0, 0, 0],
      [0, 0, 1, 2, 0, 0, 0],
    ]);
    expect(branches.map(({ lossMask }) => lossMask.join(''))).toEqual(['0011001', '0000001']);
  });
});

describe('the space of tokens [graph/token-space]', () => {
  const space = { vocabulary: 7, context: 6 };

  it('is that of the widest model that was asked', () => {
    const graph = new MessageGraph();
    take(graph, first, { space });
    take(graph, first, { space: { vocabulary: 11, context: 5 + 1 } });
    expect(graph.space).toEqual({ vocabulary: 11, context: 6 });
    take(graph, first, { space: { vocabulary: 8, context: null } });
    expect(graph.space).toEqual({ vocabulary: 11, context: null });
  });

  it.each([
    ['an id of no vocabulary', { vocabulary: 6, context: null }, 'token id 6'],
    ['a sequence longer than the context', { vocabulary: 7, context: 5 }, '6 tokens'],
  ])('refuses %s and records nothing', (_, narrow, reason) => {
    const graph = new MessageGraph();
    expect(() => take(graph, first, { space: narrow })).toThrow(reason);
    expect(graph.nodes).toEqual([]);
  });
});
