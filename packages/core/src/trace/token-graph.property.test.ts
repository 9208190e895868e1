import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agent, conversations, plans, played, tokensOf } from '../../test/token-plans.ts';
import type { Plan } from '../../test/token-plans.ts';
import { user } from '../../test/messages.ts';
import { firstSampled } from './branch-tokens.ts';
import { branchesOf } from './branch.ts';
import { checkNodes } from './codec/nodes.ts';
import { MessageGraph } from './graph.ts';

const fail = (path: string, reason: string): never => {
  throw new Error(`${path} ${reason}`);
};

function pathIds(graph: MessageGraph, node: number): number[] {
  return graph.pathTo(node).flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]);
}

describe('a graph of any tokenised turns', () => {
  it('gives back each call exactly [graph/token-sequence]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        for (const { reply, tokens } of turns) {
          const { promptIds, completionIds } = tokens;
          expect(pathIds(graph, reply)).toEqual([...promptIds, ...completionIds]);
        }
      }),
    );
  });

  it('masks what was sampled alone, each token with its own logprob [graph/token-sequence]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        for (const { reply, tokens } of turns) {
          const node = graph.nodes[reply]?.tokens;
          const start = node === undefined ? -1 : firstSampled(node);
          expect(node?.ids.slice(start)).toEqual(tokens.completionIds);
          expect(node?.mask.slice(start).every((bit) => bit === 1)).toBe(true);
          expect(node?.logprobs).toEqual(tokens.logprobs);
        }
        const unsampled = graph.nodes.filter(({ sampled }) => !sampled);
        expect(unsampled.flatMap(({ tokens }) => [...(tokens?.mask ?? [])])).not.toContain(1);
      }),
    );
  });

  it('marks as content what each turn marks, and all that was sampled [graph/content-marks]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        for (const { before, reply, tokens } of turns) {
          const added = graph.pathTo(reply).filter((at) => at >= before.length);
          const slices = added.flatMap((at) => graph.nodes[at]?.tokens ?? []);
          const { promptIds, completionIds, isContent } = tokens;
          const isTold = isContent?.length === promptIds.length;
          const marks = [...(isContent ?? []), ...completionIds.map(() => 1)];
          const length = slices.reduce((sum, { ids }) => sum + ids.length, 0);
          expect(slices.flatMap((slice) => [...(slice.isContent ?? [])])).toEqual(
            isTold ? marks.slice(marks.length - length) : [],
          );
        }
      }),
    );
  });

  it('changes nothing that is recorded [graph/token-immutable]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        for (const { before } of turns) expect(graph.nodes.slice(0, before.length)).toEqual(before);
        graph.nodes.forEach(({ parent }, at) => expect(parent ?? -1).toBeLessThan(at));
      }),
    );
  });

  it('keeps the rules of the record, and trains each sampled token once [graph/trained-once]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        checkNodes(graph.nodes, '', fail, graph.space);
        const branches = branchesOf(graph);
        const trained = branches.flatMap(({ trains }) => trains);
        expect(trained.toSorted((a, b) => a - b)).toEqual(turns.map(({ reply }) => reply));
        for (const { path, trains } of branches)
          for (const node of trains) expect(path).toContain(node);
      }),
    );
  });

  it('stores an append-only conversation once [graph/token-storage]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const plain = conversation.map((plan): Plan => ({ ...plan, dialect: 0, dropped: 0 }));
        const { graph, turns } = played(plain);
        const stored = graph.nodes.reduce((sum, { tokens }) => sum + (tokens?.ids.length ?? 0), 0);
        const last = turns.at(-1)?.tokens;
        expect(stored).toBe((last?.promptIds.length ?? 0) + (last?.completionIds.length ?? 0));
      }),
    );
  });
});

describe('the space of any tokenised turns [graph/token-space]', () => {
  it('holds the tokens of all of them', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph } = played(conversation);
        const told = conversation.flatMap(({ space }) => space ?? []);
        expect(graph.space).toEqual(
          told.length === 0
            ? null
            : {
                vocabulary: Math.max(...told.map(({ vocabulary }) => vocabulary)),
                context: told.some(({ context }) => context === null) ? null : 500,
              },
        );
      }),
    );
  });

  it('refuses an id that is not of it and a sequence that is too long, and records nothing', () => {
    const broken = fc.constantFrom<'foreign' | 'negative' | 'long'>('foreign', 'negative', 'long');
    fc.assert(
      fc.property(conversations, plans, broken, (conversation, plan, kind) => {
        const { graph } = played(conversation);
        const nodes = structuredClone(graph.nodes);
        const { space } = graph;
        const prompt = user('other');
        const turn = tokensOf([prompt], plan, 1);
        const length = turn.promptIds.length + turn.completionIds.length;
        if (kind !== 'long') turn.promptIds[1] = kind === 'foreign' ? 902 : -1;
        const narrow = { vocabulary: 902, context: kind === 'long' ? length - 1 : length };
        const message = { role: 'assistant' as const, content: plan.reply };
        const commit = (): unknown =>
          graph.commit(
            graph.start([]),
            [{ said: prompt }],
            { message, turn: { ...turn, space: narrow } },
            { timestamp: 1 },
          );
        expect(commit).toThrow(RangeError);
        expect(graph.nodes).toEqual(nodes);
        expect(graph.space).toEqual(space);
      }),
    );
  });
});

/** What each branch holds of tokens, sorted: whatever the order in which they came. */
function tokensOfBranches(graph: MessageGraph): string[] {
  return branchesOf(graph)
    .map(({ nodes }) => nodes.flatMap(({ tokens }) => tokens ?? []))
    .map((slices) =>
      JSON.stringify([
        slices.flatMap(({ ids }) => [...ids]),
        slices.flatMap(({ mask }) => [...mask]),
        slices.flatMap(({ logprobs }) => [...logprobs]),
        slices.flatMap(({ isContent }) => [...(isContent ?? [])]),
      ]),
    )
    .toSorted();
}

/** A turn that keeps its agent's first message, and says in the tokens of before what it shares with another agent. */
function independent(plan: Plan, sharesPast: boolean): Plan {
  return { ...plan, dropped: 0, dialect: sharesPast ? 0 : plan.dialect };
}

it('two branches hold the same tokens whichever is committed first [graph/token-interleaving]', () => {
  const beginning = fc
    .array(plans, { maxLength: 3 })
    .map((shared) => shared.map((plan) => independent(plan, true)));
  const two = fc.tuple(conversations, conversations);
  fc.assert(
    fc.property(beginning, two, fc.infiniteStream(fc.boolean()), (shared, both, choices) => {
      const graphs = ['one by one', 'mixed'].map((order) => {
        const graph = new MessageGraph();
        const agent = new Agent(graph);
        for (const plan of shared) agent.take(plan);
        const others = both.map((conversation, at) => {
          const [first, ...rest] = conversation.map((plan) => independent(plan, shared.length > 0));
          return {
            agent: agent.fork(),
            queue: first === undefined ? [] : [{ ...first, said: `branch ${at}` }, ...rest],
          };
        });
        for (;;) {
          const waiting = others.filter(({ queue }) => queue.length > 0);
          const isLater = order === 'mixed' && choices.next().value === true;
          const next = waiting[isLater ? waiting.length - 1 : 0];
          const plan = next?.queue.shift();
          if (next === undefined || plan === undefined) break;
          next.agent.take(plan);
        }
        return graph;
      });
      const [ordered, mixed] = graphs.map(tokensOfBranches);
      expect(mixed).toEqual(ordered);
    }),
  );
});
