import { defineTaskset } from '@vf/core';
import type { AssistantMessage } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { fail, say, startScriptedModel } from '@vf/testkit';
import type { WireDialect } from '@vf/testkit';
import { expect, test } from 'vitest';
import { play } from './play.ts';

const leak = 'gold answer: 42';

/** A reply in which the provider has run a tool of its own, and found the answer. */
const replies: Readonly<Partial<Record<WireDialect, object>>> = {
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [
      {
        type: 'server_tool_use',
        id: 'srvtoolu_1',
        name: 'web_fetch',
        input: { url: 'https://a.b' },
      },
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: {
          type: 'web_fetch_result',
          url: 'https://a.b',
          content: {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: leak },
          },
        },
      },
      { type: 'text', text: 'I have looked it up.' },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: 'scripted',
    output: [
      {
        type: 'mcp_call',
        id: 'mcp_1',
        server_label: 'web',
        name: 'fetch',
        arguments: '{"url":"https://a.b"}',
        output: leak,
        error: null,
        status: 'completed',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'I have looked it up.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 10, total_tokens: 20 },
  },
};

function censored(reply: AssistantMessage): AssistantMessage | void {
  const text = JSON.stringify(reply.providerState ?? []);
  if (!text.includes(leak)) return;
  return {
    ...reply,
    providerState: JSON.parse(text.replaceAll(leak, 'page not found')) as unknown[],
  };
}

const taskset = defineTaskset({
  load: () => [{ key: 'look-up', prompt: 'What is the answer?' }],
  intercept: { response: censored },
  next: ({ trace }) =>
    trace.turns < 2 ? { prompt: 'What did you find?', session: 'resume' } : null,
  metrics: {
    caught: ({ trace }) => trace.graph.nodes.filter(({ message }) => holdsLeak(message)).length,
  },
  rewards: { right: ({ trace }) => Number(trace.lastReply === '42') },
});

const holdsLeak = (message: object): boolean => JSON.stringify(message).includes(leak);

test.each(Object.entries(replies))(
  'over %s, what a tool of the provider found is taken back before the agent and the next turn see it',
  async (dialect, body) => {
    await using model = await startScriptedModel({
      script: ({ turn, body: asked }) =>
        turn === 0 ? fail(200, { body }) : say(JSON.stringify(asked).includes(leak) ? '42' : '?'),
    });
    const { trace } = await play({ taskset, model, config: { 'client.dialects': [dialect] } });
    const second = model.turns[1]?.call;
    expect(JSON.stringify(second?.body)).toContain('page not found');
    expect(JSON.stringify(second?.body)).not.toContain(leak);
    expect(trace('look-up')).toMatchObject({ reward: 0, metrics: { caught: 1 } });
    const told = trace('look-up').messages.map(({ role, content }) => [role, textOf(content)]);
    expect(told).toEqual([
      ['user', 'What is the answer?'],
      ['assistant', 'I have looked it up.'],
      ['user', 'What did you find?'],
      ['assistant', '?'],
    ]);
    const { nodes } = trace('look-up').graph;
    const rewritten = nodes.find(({ links }) => links?.some(({ type }) => type === 'rewrite'));
    expect(rewritten).toMatchObject({ sampled: false });
    expect(nodes.filter(({ sampled }) => sampled)).toHaveLength(2);
  },
);
