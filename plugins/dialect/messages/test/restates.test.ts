import type { AssistantMessage } from '@vf/core';
import { MessageGraph } from '@vf/core/trace';
import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';
import { claudeCode } from './fixtures.ts';
import { readText } from './wire.ts';

const { request } = dialect;

describe('sessions of Claude Code', () => {
  it('[messages/restated-agents] stay one branch each', () => {
    const graph = new MessageGraph();
    claudeCode.forEach(({ body, response }, index) => {
      const top = { ...body, messages: [] };
      const said = [...request.preamble(top), ...request.messages(body.messages)];
      const start = graph.start(request.tools(top));
      const { matched } = graph.walk(start, said, request.restates);
      expect(matched).toBeGreaterThan(said.findLastIndex(({ role }) => role === 'assistant'));
      const { message } = readText(response.body);
      const prompt = said.map((each) => ({ said: each }));
      const reply = message === null ? null : { message };
      graph.commit(start, prompt, reply, { timestamp: index, restates: request.restates });
    });
    expect(claudeCode).toHaveLength(5);
    expect(graph.leaves()).toHaveLength(2);
  });
});

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'why', signature });
const redacted = { type: 'redacted_thinking', data: 'R' };
const sampled: AssistantMessage = {
  role: 'assistant',
  content: 'Text.  ',
  reasoning: 'why',
  toolCalls: [{ id: 't', name: 'f', arguments: '{ "b": 1.0, "a": "caf\\u00e9" }' }],
  providerState: [thinking('S'), redacted],
};

describe('restates', () => {
  it.each([
    [{}, true],
    [{ toolCalls: [{ id: 't', name: 'f', arguments: '{"a":"café","b":1}' }] }, true],
    [{ toolCalls: [{ id: 't', name: 'f', arguments: '{"a":"café","b":2}' }] }, false],
    [{ toolCalls: [{ id: 'u', name: 'f', arguments: '{"a":"café","b":1}' }] }, false],
    [{ toolCalls: [{ id: 't', name: 'g', arguments: '{"a":"café","b":1}' }] }, false],
    [{ toolCalls: [] }, false],
    [{ content: 'Text.' }, false],
  ])('[messages/restated-arguments] %j: %s', (fields, expected) => {
    expect(request.restates(sampled, { ...sampled, ...fields })).toBe(expected);
  });

  it.each([
    [[], 'why', true],
    [[], undefined, true],
    [[redacted, thinking('S')], 'why', true],
    [[thinking('S')], 'why', true],
    [[thinking('other')], 'why', false],
    [[redacted, { type: 'redacted_thinking', data: 'new' }], 'why', false],
    [[], 'something else', false],
  ])('[messages/restated-thinking] %j %s: %s', (providerState, reasoning, expected) => {
    const { reasoning: _, ...bare } = sampled;
    const said = { ...bare, providerState, ...(reasoning === undefined ? {} : { reasoning }) };
    expect(request.restates(sampled, said)).toBe(expected);
  });
});
