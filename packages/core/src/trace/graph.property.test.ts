import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asSaid, assistant, toolCall, user } from '../../test/messages.ts';
import type { AssistantMessage, Message } from '../message.ts';
import { branchesOf } from './branch.ts';
import { MessageGraph } from './graph.ts';
import { identityOf } from './identity.ts';

/** A conversation as its agent leads it: each turn restates all that came before. */
interface Turn {
  readonly prompt: readonly Message[];
  readonly reply: AssistantMessage;
}

const texts = fc.constantFrom('a', 'b', '');
const messages: fc.Arbitrary<Message> = fc.oneof(
  texts.map(user),
  texts.map((text) => assistant(text)),
  fc.constantFrom('x', 'y').map((id) => assistant(null, { toolCalls: [toolCall(id)] })),
);
const replies = fc.oneof(
  texts.map((text) => assistant(text)),
  texts.map((reasoning) => assistant('r', { reasoning })),
);

function led(openings: readonly (readonly [readonly Message[], AssistantMessage])[]): Turn[] {
  const history: Message[] = [];
  return openings.map(([added, reply]) => {
    history.push(...added);
    const turn = { prompt: [...history], reply };
    history.push(reply);
    return turn;
  });
}

const addition = fc.tuple(fc.array(messages, { minLength: 1, maxLength: 3 }), replies);
const conversations = fc.array(addition, { minLength: 1, maxLength: 5 }).map(led);

function take(graph: MessageGraph, turn: Turn): void {
  const { at, matched } = graph.walk(graph.start([]), turn.prompt);
  const tail = asSaid(turn.prompt.slice(matched));
  graph.commit(at, tail, { message: turn.reply }, { timestamp: 1 });
}

function graphOf(turns: readonly Turn[]): MessageGraph {
  const graph = new MessageGraph();
  for (const turn of turns) take(graph, turn);
  return graph;
}

/** All branches as texts, sorted: what a graph holds, whatever the order of its nodes. */
function contents(graph: MessageGraph): string[] {
  return branchesOf(graph)
    .map((branch) =>
      branch.nodes.map(
        (node) => `${node.sampled} ${JSON.stringify(identityOf(node.message).parts)}`,
      ),
    )
    .map((branch) => branch.join('\n'))
    .toSorted();
}

describe('a graph of any turns', () => {
  it('has parents before children [graph/parents-precede]', () => {
    fc.assert(
      fc.property(fc.array(conversations, { maxLength: 4 }), (all) => {
        graphOf(all.flat()).nodes.forEach((node, at) => {
          expect(node.parent === null || node.parent < at).toBe(true);
        });
      }),
    );
  });

  it('finds what was committed: prompt and reply, at the reply or its equal [graph/walk-finds-commit]', () => {
    fc.assert(
      fc.property(fc.array(conversations, { minLength: 1, maxLength: 4 }), (all) => {
        const graph = graphOf(all.flat());
        for (const { prompt, reply } of all.flat()) {
          const said = [...prompt, reply];
          const { at, matched } = graph.walk(graph.start([]), said);
          expect(matched).toBe(said.length);
          const found = graph.pathTo(at.node ?? -1).map((node) => graph.nodes[node]?.message);
          expect(found.map((message) => message && identityOf(message).parts)).toEqual(
            said.map((message) => identityOf(message).parts),
          );
        }
      }),
    );
  });

  it('is the same for any interleaving of agents that share no root [graph/interleaving]', () => {
    const agents = fc
      .array(conversations, { minLength: 2, maxLength: 3 })
      .map((all) =>
        all.map((turns, agent) =>
          turns.map((turn) => ({ ...turn, prompt: [user(`agent ${agent}`), ...turn.prompt] })),
        ),
      );
    fc.assert(
      fc.property(agents, fc.infiniteStream(fc.nat()), (all, choices) => {
        const queues = all.map((turns) => [...turns]);
        const mixed: Turn[] = [];
        for (const choice of choices) {
          const waiting = queues.filter((queue) => queue.length > 0);
          const turn = waiting[choice % waiting.length]?.shift();
          if (turn === undefined) break;
          mixed.push(turn);
        }
        expect(contents(graphOf(mixed))).toEqual(contents(graphOf(all.flat())));
      }),
    );
  });

  it('grows with turns, not with the messages they restate [graph/linear-size]', () => {
    fc.assert(
      fc.property(conversations, (turns) => {
        const graph = graphOf(turns);
        const last = turns.at(-1);
        // Fewer when a prompt holds what was said before in the same place, never more.
        expect(graph.nodes.length).toBeLessThanOrEqual((last?.prompt.length ?? 0) + 1);
        expect(graph.nodes.filter((node) => node.sampled)).toHaveLength(turns.length);
      }),
    );
  });

  it('is the same after a restore, and goes on the same [graph/restored-same]', () => {
    fc.assert(
      fc.property(conversations, conversations, (before, after) => {
        const graph = graphOf(before);
        const copy = new MessageGraph();
        for (const node of graph.nodes) copy.restore(node);
        for (const turn of after) {
          take(graph, turn);
          take(copy, turn);
        }
        expect(copy.nodes).toEqual(graph.nodes);
        expect(copy.leaves()).toEqual(graph.leaves());
      }),
    );
  });

  it('trains each sampled reply exactly once [graph/trains-once]', () => {
    fc.assert(
      fc.property(fc.array(conversations, { maxLength: 4 }), (all) => {
        const graph = graphOf(all.flat());
        const trained = branchesOf(graph).flatMap((branch) => branch.trains);
        const sampled = graph.nodes.flatMap((node, at) => (node.sampled ? [at] : []));
        expect(trained.toSorted((a, b) => a - b)).toEqual(sampled);
      }),
    );
  });
});
