import { describe, expect, it } from 'vitest';
import { asSaid, assistant, system, user } from '../../test/messages.ts';
import type { Message } from '../message.ts';
import { branchesOf, mainLeaf } from './branch.ts';
import { MessageGraph } from './graph.ts';

function graphOf(turns: readonly (readonly [prompt: readonly Message[], reply: string])[]) {
  const graph = new MessageGraph();
  for (const [prompt, reply] of turns) {
    const { at, matched } = graph.walk(graph.start([]), prompt);
    const tail = asSaid(prompt.slice(matched));
    graph.commit(at, tail, { message: assistant(reply) }, { timestamp: 1 });
  }
  return graph;
}

describe('branchesOf', () => {
  it('gives one conversation a leaf, in the order of leaves [graph/branches]', () => {
    const graph = graphOf([
      [[user('q')], 'a1'],
      [[user('q'), assistant('a1'), user('x')], 'b'],
      [[user('q'), assistant('a1'), user('y')], 'c'],
    ]);
    expect(branchesOf(graph).map(({ path, trains }) => ({ path, trains }))).toEqual([
      { path: [0, 1, 2, 3], trains: [1, 3] },
      { path: [0, 1, 4, 5], trains: [5] },
    ]);
  });

  it('trains a shared reply in the first branch only; what is left without one is no sample [graph/trains-once]', () => {
    const graph = graphOf([
      [[user('q')], 'a1'],
      [[user('q'), assistant('a1'), user('x')], 'b'],
    ]);
    graph.commit({ node: 1, toolList: 0 }, asSaid([user('stop')]), null, { timestamp: 1 });
    expect(branchesOf(graph).map((branch) => [branch.trains, branch.trainable])).toEqual([
      [[1, 3], true],
      [[], false],
    ]);
  });

  const compacted = () => {
    const graph = graphOf([
      [[user('q')], 'w'],
      [[user('q'), assistant('w'), user('summarise')], 'summary'],
      [[user('q'), assistant('w'), user('go on')], 'z'],
    ]);
    graph.link(3, { node: 1, type: 'compaction_attempt' });
    return graph;
  };

  it('leaves out a compaction that nobody resumed, and trains what it shares elsewhere [graph/compaction-attempt]', () => {
    const branches = branchesOf(compacted());
    expect(branches.map((branch) => [branch.trainable, branch.trains])).toEqual([
      [false, []],
      [true, [1, 5]],
    ]);
  });

  it('trains a compaction that another node resumed from [graph/compaction-attempt]', () => {
    const graph = compacted();
    graph.link(5, { node: 3, type: 'compaction' });
    expect(branchesOf(graph).map((branch) => branch.trainable)).toEqual([true, true]);
  });

  it('gives a branch the tools of its root', () => {
    const graph = new MessageGraph();
    const tools = [{ name: 'f' }];
    const start = graph.start(tools);
    graph.commit(start, asSaid([user('q')]), { message: assistant('a') }, { timestamp: 1 });
    expect(branchesOf(graph)[0]?.tools).toEqual(tools);
  });
});

describe('mainLeaf', () => {
  it('is null for an empty graph [graph/main-branch]', () => {
    expect(mainLeaf(new MessageGraph(), 'q')).toBe(null);
  });

  it('is the last leaf of the root with most replies that holds the prompt [graph/main-branch]', () => {
    const graph = graphOf([
      [[system('title'), user('make a title')], 't'],
      [[system('title'), user('make a title'), assistant('t'), user('more')], 't2'],
      [[system('title'), user('make a title'), assistant('t'), user('again')], 't3'],
      [[system('S'), user('The task: count.\n')], 'a'],
      [[system('S'), user('The task: count.\n'), assistant('a'), user('n')], 'b'],
      [[system('S'), user('The task: count.\n'), assistant('other'), user('n')], 'c'],
    ]);
    expect(mainLeaf(graph, 'The task: count.')).toBe(graph.nodes.length - 1);
  });

  it('is found by a prompt in one of several parts, and with other white space around it [graph/main-branch]', () => {
    const parts: Message = {
      role: 'user',
      content: [
        { type: 'text', text: '<env/>' },
        { type: 'text', text: 'count' },
      ],
    };
    const graph = graphOf([
      [[user('x')], 'a'],
      [[user('x')], 'b'],
      [[parts], 'c'],
    ]);
    expect(mainLeaf(graph, ' count\n')).toBe(4);
  });

  it('is found by what the agent said when a hook rewrote the prompt [graph/main-branch]', () => {
    const graph = graphOf([
      [[user('x')], 'a'],
      [[user('x')], 'b'],
    ]);
    const rewritten = { said: user('count'), sent: user('[hidden]') };
    const reply = { message: assistant('c') };
    graph.commit(graph.start([]), [rewritten], reply, { timestamp: 1 });
    expect(mainLeaf(graph, 'count')).toBe(4);
  });

  it('takes any root when none holds the prompt, the first of equals [graph/main-branch]', () => {
    const graph = graphOf([
      [[user('x')], 'a'],
      [[user('y')], 'b'],
    ]);
    expect(mainLeaf(graph, 'count')).toBe(1);
    expect(mainLeaf(graph, null)).toBe(1);
  });
});
