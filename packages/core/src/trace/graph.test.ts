import { describe, expect, it } from 'vitest';
import { asSaid, assistant, toolCall, toolResult, user } from '../../test/messages.ts';
import { messageOf, restored } from '../../test/token-turns.ts';
import cases from '../../test/vectors/graph-cases.json' with { type: 'json' };
import type { ToolSpec } from '../call.ts';
import type { AssistantMessage, Message } from '../message.ts';
import { MessageGraph } from './graph.ts';

const timestamp = 1;

function take(graph: MessageGraph, prompt: readonly Message[], reply?: AssistantMessage): void {
  const start = graph.start([]);
  const { at, matched } = graph.walk(start, prompt);
  const sampled = reply === undefined ? null : { message: reply };
  graph.commit(at, asSaid(prompt.slice(matched)), sampled, { timestamp });
}

const shape = (graph: MessageGraph) =>
  graph.nodes.map((node) => [node.parent, node.message.role[0], Number(node.sampled)]);

describe('a turn', () => {
  it.each(cases)('$id $name [graph/case-list]', ({ turns, nodes }) => {
    let graph = new MessageGraph();
    for (const turn of turns) {
      if (typeof turn === 'string') {
        graph = restored(graph);
        continue;
      }
      const reply = turn.reply === undefined ? undefined : messageOf(turn.reply);
      take(graph, turn.prompt.map(messageOf), reply as AssistantMessage | undefined);
    }
    expect(shape(graph)).toEqual(nodes);
  });

  it('gives each reply a node of its own, and later turns follow the newest [graph/reply-own-node] [graph/newest-wins]', () => {
    const graph = new MessageGraph();
    take(graph, [user('hi')], assistant('yo'));
    take(graph, [user('hi')], assistant('yo'));
    expect(graph.walk(graph.start([]), [user('hi'), assistant('yo')]).at.node).toBe(2);
  });

  it('never marks what a prompt restates as sampled [graph/few-shot-unsampled]', () => {
    const graph = new MessageGraph();
    take(graph, [user('q'), assistant('shown'), user('n')], assistant('z'));
    expect(graph.nodes.map((node) => node.sampled)).toEqual([false, false, false, true]);
  });

  it('leaves what is recorded as it is [graph/append-only]', () => {
    const graph = new MessageGraph();
    take(graph, [user('hi')], assistant('yo'));
    const before = graph.nodes.map((node) => node);
    take(graph, [user('hi'), assistant('other'), user('n')], assistant('z'));
    expect(graph.nodes.slice(0, 2)).toEqual(before);
    expect(graph.nodes.slice(0, 2).every((node, at) => node === before[at])).toBe(true);
  });

  it('joins what a parallel call committed meanwhile [graph/parallel-calls]', () => {
    const graph = new MessageGraph();
    const start = graph.start([]);
    const prompt = asSaid([user('q'), user('x')]);
    graph.commit(start, prompt, { message: assistant('a') }, { timestamp });
    const second = graph.commit(start, prompt, { message: assistant('b') }, { timestamp });
    expect(second).toEqual({ prompt: [0, 1], reply: 3 });
  });

  it('keeps time stamps of reused nodes', () => {
    const graph = new MessageGraph();
    take(graph, [user('hi')], assistant('yo'));
    const at = graph.start([]);
    const prompt = asSaid([user('hi'), assistant('yo'), user('n')]);
    graph.commit(at, prompt, { message: assistant('z') }, { timestamp: 5 });
    expect(graph.nodes.map((node) => node.timestamp)).toEqual([1, 1, 5, 5]);
  });
});

describe('tools', () => {
  const f: ToolSpec = { name: 'f', parameters: { type: 'object', properties: {} } };
  const g: ToolSpec = { name: 'g' };
  const turn = (graph: MessageGraph, tools: readonly ToolSpec[], text: string) => {
    const start = graph.start(tools);
    return graph.commit(start, asSaid([user('q')]), { message: assistant(text) }, { timestamp });
  };

  it('belong to the root: another list starts another root [graph/tools-at-root]', () => {
    const graph = new MessageGraph();
    turn(graph, [f], 'a');
    turn(graph, [f, g], 'b');
    turn(graph, [], 'c');
    expect(graph.nodes.map((node) => node.parent)).toEqual([null, 0, null, 2, null, 4]);
    expect(graph.nodes.map((node) => node.tools)).toEqual([
      [f],
      undefined,
      [f, g],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are the same list in any order of keys, with or without defaults [graph/tools-at-root]', () => {
    const graph = new MessageGraph();
    turn(graph, [f], 'a');
    const again: ToolSpec = {
      parameters: { properties: {}, type: 'object' },
      name: 'f',
      kind: 'function',
      description: '',
    };
    expect(turn(graph, [again], 'b').prompt).toEqual([0]);
    expect(turn(graph, [{ ...f, strict: true }], 'c').prompt).toEqual([3]);
  });

  it('are found again by a restored graph [graph/restore]', () => {
    const graph = new MessageGraph();
    turn(graph, [f], 'a');
    turn(graph, [g], 'b');
    expect(turn(restored(graph), [g], 'c').prompt).toEqual([2]);
  });
});

describe('a restated reply', () => {
  const sampled = assistant('yo', { reasoning: 'because' });
  const withoutReasoning = (reply: AssistantMessage, said: AssistantMessage) =>
    reply.content === said.content && said.reasoning === undefined;

  it('is the sampled one where the dialect says so [graph/restated-reply]', () => {
    const graph = new MessageGraph();
    take(graph, [user('hi')], sampled);
    const prompt = [user('hi'), assistant('yo'), user('n')];
    expect(graph.walk(graph.start([]), prompt).matched).toBe(1);
    expect(graph.walk(graph.start([]), prompt, withoutReasoning).matched).toBe(2);
  });

  it('is looked for among sampled children, newest first, after strict equality [graph/restated-reply]', () => {
    const graph = new MessageGraph();
    take(graph, [user('hi')], sampled);
    take(graph, [user('hi')], sampled);
    take(graph, [user('hi'), assistant('few-shot', { reasoning: 'r' }), user('n')], assistant('z'));
    const find = (said: AssistantMessage) =>
      graph.walk(graph.start([]), [user('hi'), said], withoutReasoning).at.node;
    expect(find(assistant('yo'))).toBe(2);
    expect(find(sampled)).toBe(2);
    expect(find(assistant('few-shot'))).toBe(0);
  });
});

describe('rewriting', () => {
  it('matches prompts by what the agent says, and keeps what the model saw [graph/said-and-sent]', () => {
    const graph = new MessageGraph();
    const rewritten = { said: user('secret'), sent: user('[removed]') };
    const start = graph.start([]);
    graph.commit(start, [rewritten], { message: assistant('ok') }, { timestamp });
    expect(graph.nodes[0]?.message).toEqual(user('[removed]'));
    expect(graph.nodes[0]?.said).toEqual(user('secret'));
    const { at, matched } = graph.walk(start, [user('secret'), assistant('ok'), user('n')]);
    expect([at.node, matched]).toEqual([1, 2]);
    expect(graph.walk(start, [user('[removed]')]).matched).toBe(0);
    expect(restored(graph).walk(start, [user('secret')]).matched).toBe(1);
  });

  it('puts a rewritten reply beside the sampled one, and the agent goes on from it [graph/rewritten-reply]', () => {
    const graph = new MessageGraph();
    const start = graph.start([]);
    const { prompt, reply } = graph.commit(
      start,
      asSaid([user('q')]),
      { message: assistant('cheat') },
      { timestamp },
    );
    const at = { node: prompt.at(-1) ?? null, toolList: start.toolList };
    const link = { node: reply ?? 0, type: 'rewrite' };
    const beside = graph.addBeside(at, assistant('no'), [link], timestamp);
    expect(graph.nodes[beside]).toEqual({
      parent: 0,
      message: assistant('no'),
      sampled: false,
      links: [link],
      timestamp,
    });
    expect(graph.walk(start, [user('q'), assistant('no')]).at.node).toBe(beside);
    expect(graph.leaves()).toEqual([reply, beside]);
  });
});

describe('links', () => {
  it('name causes beside the parent, each once [graph/links]', () => {
    const graph = new MessageGraph();
    take(graph, [user('a')], assistant('x'));
    take(graph, [user('b')], assistant('y'));
    graph.link(3, { node: 1, type: 'subagent_call' });
    graph.link(3, { node: 1, type: 'subagent_call' });
    expect(graph.nodes[3]?.links).toEqual([{ node: 1, type: 'subagent_call' }]);
    expect(graph.nodes[3]?.parent).toBe(2);
  });

  it('name nodes that are there, and not the node itself [graph/links]', () => {
    const graph = new MessageGraph();
    take(graph, [user('a')], assistant('x'));
    expect(() => graph.link(1, { node: 9, type: 't' })).toThrow('no node 9');
    expect(() => graph.link(9, { node: 1, type: 't' })).toThrow('no node 9');
    expect(() => graph.link(1, { node: 1, type: 't' })).toThrow('own cause');
  });
});

describe('restore', () => {
  it('refuses a parent that does not precede [graph/parents-precede]', () => {
    const node = { message: user('a'), sampled: false, timestamp };
    for (const parent of [0, 1, -1, 0.5]) {
      expect(() => new MessageGraph().restore({ ...node, parent })).toThrow('does not precede');
    }
  });

  it('goes on where the stored graph ended [graph/restore]', () => {
    const graph = new MessageGraph();
    take(graph, [user('q')], assistant(null, { toolCalls: [toolCall('a')] }));
    const copy = restored(graph);
    const prompt = [
      user('q'),
      assistant('', { toolCalls: [toolCall('a', '{ }')] }),
      toolResult('a', 'r'),
    ];
    take(copy, prompt, assistant('z'));
    expect(shape(copy)).toEqual([
      [null, 'u', 0],
      [0, 'a', 1],
      [1, 't', 0],
      [2, 'a', 1],
    ]);
  });
});

describe('pathTo', () => {
  it('throws for a node that is not there', () => {
    expect(() => new MessageGraph().pathTo(0)).toThrow('no node 0 in a graph of 0');
  });
});
