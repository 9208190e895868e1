import type { AssistantMessage, Message } from '@vf/core';
import { MessageGraph } from '@vf/core/trace';
import { describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { codexRich, codexShort } from './fixtures.ts';
import { parseStream, readStream } from './helpers.ts';

const { request } = responses;
type Recorded = (typeof codexRich)[number];

/** Records requests and replies in order, as the server does. */
function record(
  graph: MessageGraph,
  exchanges: readonly (Recorded & { readonly reply?: AssistantMessage })[],
): void {
  for (const { body, response, reply } of exchanges) {
    const start = graph.start(request.tools(body));
    const said = [...request.preamble(body), ...request.messages(body.input)];
    const read =
      reply ?? (response === undefined ? null : readStream(parseStream(response.body)).message);
    const { at, matched } = graph.walk(start, said, request.restates);
    const tail = said.slice(matched).map((message) => ({ said: message }));
    graph.commit(at, tail, read === null ? null : { message: read }, {
      timestamp: 0,
      restates: request.restates,
    });
  }
}

function rolesOf(graph: MessageGraph, leaf: number): readonly string[] {
  return graph.pathTo(leaf).map((node) => graph.nodes[node]?.message.role ?? '');
}

describe('sessions of Codex', () => {
  it('[responses/codex-one-branch] keeps a session with reasoning, parallel calls and a resume on one branch', () => {
    const graph = new MessageGraph();
    record(graph, codexRich.slice(0, 3));
    const [leaf, ...others] = graph.leaves();
    expect(others).toEqual([]);
    expect(rolesOf(graph, leaf ?? 0)).toEqual([
      'system',
      'system',
      'user',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(graph.nodes.filter(({ sampled }) => sampled)).toHaveLength(3);
  });

  it('[responses/codex-images] keeps a session with image results on one branch of its own', () => {
    const graph = new MessageGraph();
    record(graph, codexRich);
    expect(graph.leaves()).toHaveLength(2);
    expect(
      rolesOf(graph, graph.leaves()[1] ?? 0).filter((role) => role === 'assistant'),
    ).toHaveLength(2);
  });

  it('[responses/codex-short] keeps the short session with its full tool list on one branch', () => {
    const graph = new MessageGraph();
    const reply = request.messages(codexShort[1]?.body.input.slice(4, 5) ?? [])[0];
    if (reply?.role !== 'assistant') throw new Error('no reply in the fixture');
    record(graph, [{ ...(codexShort[0] as Recorded), reply }, codexShort[1] as Recorded]);
    expect(graph.leaves()).toHaveLength(1);
    expect(graph.nodes[0]?.tools).toHaveLength(13);
  });

  it('[responses/codex-compaction] takes a restart of the history as a new branch', () => {
    const graph = new MessageGraph();
    record(graph, codexRich.slice(0, 3));
    const first = codexRich[0] as Recorded;
    const summary = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Summary: it is done' }],
    };
    const restart = { ...first, body: { ...first.body, input: [...first.body.input, summary] } };
    record(graph, [restart]);
    const [, second] = graph.leaves();
    expect(graph.leaves()).toHaveLength(2);
    expect(rolesOf(graph, second ?? 0)).toEqual([
      'system',
      'system',
      'user',
      'user',
      'user',
      'assistant',
    ]);
  });

  it('[responses/restates-branch] keeps one branch when an agent restates text and calls alone', () => {
    const graph = new MessageGraph();
    const start = graph.start([]);
    const asked: Message = { role: 'user', content: 'go' };
    const sampled = readStream(parseStream(codexRich[0]?.response?.body ?? '')).message;
    if (sampled === null) throw new Error('no reply in the fixture');
    graph.commit(start, [{ said: asked }], { message: sampled }, { timestamp: 0 });
    const { providerState: _, reasoning: __, ...said } = sampled;
    expect(graph.walk(start, [asked, said]).matched).toBe(1);
    expect(graph.walk(start, [asked, said], request.restates).matched).toBe(2);
  });
});
