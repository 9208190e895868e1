import type { AssistantMessage } from '@vf/core';
import { MessageGraph } from '@vf/core/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';
import { agents } from './fixtures.ts';
import type { Recorded } from './fixtures.ts';
import { readText } from './wire.ts';

const { request } = chat;

/** The graph of a recorded session, and whether all earlier replies of each request were found in it. */
function record(exchanges: readonly Recorded[]): {
  readonly graph: MessageGraph;
  readonly found: readonly boolean[];
} {
  const graph = new MessageGraph();
  const found = exchanges.map(({ body, response }, index) => {
    const top = { ...body, messages: [] };
    const said = [...request.preamble(top), ...request.messages(body.messages)];
    const start = graph.start(request.tools(top));
    const { matched } = graph.walk(start, said, request.restates);
    const { message } = readText(response.body);
    const reply = message === null ? null : { message };
    const prompt = said.map((each) => ({ said: each }));
    graph.commit(start, prompt, reply, { timestamp: index, restates: request.restates });
    return matched > said.findLastIndex(({ role }) => role === 'assistant');
  });
  return { graph, found };
}

describe('sessions of real agents', () => {
  // Two sessions each; opencode names both with a request of its own.
  it.each([
    ['opencode', 4],
    ['pi', 2],
    ['kimi-code', 2],
  ] as const)('[chat/restated-agents] %s: %i branches', (agent, branches) => {
    const { graph, found } = record(agents[agent]);
    expect(graph.leaves()).toHaveLength(branches);
    expect(found).not.toContain(false);
  });
});

const sampled: AssistantMessage = {
  role: 'assistant',
  content: 'Text.\n',
  reasoning: 'why',
  toolCalls: [
    { id: '1', name: 'f', arguments: '{ "b": 1.0, "a": "caf\\u00e9 \\/", "n": 9007199254740993 }' },
  ],
};

const call = (fields: object): AssistantMessage => ({
  ...sampled,
  toolCalls: [
    { id: '1', name: 'f', arguments: '{"a":"café /","b":1,"n":9007199254740992}', ...fields },
  ],
});

describe('restates', () => {
  it('[chat/restated-arguments] takes respelt arguments', () => {
    expect(request.restates(sampled, call({}))).toBe(true);
    expect(request.restates(call({ arguments: '' }), call({ arguments: '{}' }))).toBe(true);
    expect(request.restates(call({ arguments: '{broken' }), call({ arguments: '{broken' }))).toBe(
      true,
    );
  });

  it('[chat/restated-arguments] takes whatever passed through a JSON parser', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, reverses) => {
        const pretty = JSON.stringify(value, null, 2);
        const entries = Object.entries(JSON.parse(pretty) as Record<string, unknown>);
        const again = JSON.stringify(Object.fromEntries(reverses ? entries.toReversed() : entries));
        expect(request.restates(call({ arguments: pretty }), call({ arguments: again }))).toBe(
          true,
        );
      }),
    );
  });

  it.each([
    [{ id: '2' }],
    [{ name: 'g' }],
    [{ kind: 'custom' }],
    [{ arguments: '{"a":"cafe /","b":1,"n":9007199254740992}' }],
    [{ arguments: '{"a":"café /","b":1}' }],
    [{ arguments: '{broken' }],
  ])('[chat/restated-arguments] refuses %j', (fields) => {
    expect(request.restates(sampled, call(fields))).toBe(false);
  });

  it('[chat/restated-arguments] compares the input of a custom tool as text', () => {
    const [spaced, bare] = [
      call({ kind: 'custom', arguments: '{ }' }),
      call({ kind: 'custom', arguments: '{}' }),
    ];
    expect(request.restates(spaced, spaced)).toBe(true);
    expect(request.restates(spaced, bare)).toBe(false);
  });

  it('[chat/restated-arguments] refuses a call more or less', () => {
    const { toolCalls: _, ...none } = sampled;
    expect(request.restates(sampled, none)).toBe(false);
    expect(request.restates(none, sampled)).toBe(false);
  });

  it('[chat/restated-reasoning] may be missing, not different', () => {
    const { reasoning: _, ...bare } = sampled;
    expect(request.restates(sampled, bare)).toBe(true);
    expect(request.restates(bare, sampled)).toBe(true);
    expect(request.restates(sampled, { ...sampled, reasoning: 'other' })).toBe(false);
  });

  it('[chat/restated-reasoning] opaque items may be missing, not new', () => {
    const encrypted = (data: string) => ({ type: 'reasoning.encrypted', data });
    const full = { ...sampled, providerState: [encrypted('A'), encrypted('B')] };
    expect(request.restates(full, { ...sampled, providerState: [encrypted('B')] })).toBe(true);
    expect(request.restates(full, { ...sampled, providerState: [encrypted('C')] })).toBe(false);
    expect(request.restates(sampled, full)).toBe(false);
  });

  it('[chat/restated-empty] takes null for the empty string', () => {
    expect(request.restates({ ...sampled, content: null }, { ...sampled, content: '' })).toBe(true);
    expect(request.restates({ ...sampled, content: 'Text.' }, sampled)).toBe(false);
  });
});
