import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asSaid, assistant, user } from '../../test/messages.ts';
import type { TurnTokens } from '../contract/turn-tokens.ts';
import type { AssistantMessage, Message } from '../message.ts';
import { textOf } from '../message.ts';
import { branchesOf } from './branch.ts';
import { checkNodes } from './codec/nodes.ts';
import { MessageGraph } from './graph.ts';

const header = 900;
const end = 901;

/** One turn: what is said before it, how the past is tokenised this time, and which spans are told. */
interface Plan {
  readonly said: string;
  readonly reply: string;
  readonly dialect: 0 | 1;
  readonly tells: readonly boolean[];
  /** Messages of the past that the agent leaves out, from the front. */
  readonly dropped: number;
}

const texts = fc.constantFrom('a', 'bb', 'ccc');
const plans: fc.Arbitrary<Plan> = fc.record({
  said: texts,
  reply: texts,
  dialect: fc.constantFrom(0, 0, 0, 1),
  tells: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  dropped: fc.constantFrom(0, 0, 0, 2),
});

function idsOf(text: string, dialect: number): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0) + 100 * dialect);
}

function tokensOf(prompt: readonly Message[], { dialect, tells, reply }: Plan): TurnTokens {
  const ids: number[] = [];
  const spans = prompt.map((message, at): readonly [number, number] | null => {
    const start = ids.length;
    const past = message.role === 'assistant' ? dialect : 0;
    ids.push(header, ...idsOf(textOf(message.content), past), end);
    return tells[at % tells.length] === true ? [start, ids.length] : null;
  });
  ids.push(header);
  const completion = [...idsOf(reply, 0), end];
  return {
    promptIds: Int32Array.from(ids),
    completionIds: Int32Array.from(completion),
    logprobs: Float32Array.from(completion, () => -1),
    spans,
  };
}

interface Played {
  readonly graph: MessageGraph;
  readonly turns: readonly { readonly reply: number; readonly tokens: TurnTokens }[];
}

function played(conversation: readonly Plan[]): Played {
  const graph = new MessageGraph();
  let past: Message[] = [];
  const turns = conversation.map((plan) => {
    past = [...past.slice(plan.dropped), user(plan.said)];
    const { at, matched } = graph.walk(graph.start([]), past);
    const message: AssistantMessage = assistant(plan.reply);
    const tokens = tokensOf(past, plan);
    const tail = asSaid(past.slice(matched));
    const { reply } = graph.commit(at, tail, { message, turn: tokens }, { timestamp: 1 });
    past.push(message);
    return { reply: reply ?? -1, tokens };
  });
  return { graph, turns };
}

function pathIds(graph: MessageGraph, node: number): number[] {
  return graph.pathTo(node).flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]);
}

const conversations = fc.array(plans, { minLength: 1, maxLength: 7 });

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

  it('keeps the rules of the record, and trains each sampled token once [graph/trained-once]', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { graph, turns } = played(conversation);
        checkNodes(graph.nodes, '', (path, reason) => {
          throw new Error(`${path} ${reason}`);
        });
        const trained = branchesOf(graph).flatMap(({ trains }) => trains);
        expect(trained.toSorted((a, b) => a - b)).toEqual(turns.map(({ reply }) => reply));
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
