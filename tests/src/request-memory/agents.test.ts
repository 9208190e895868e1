import type { Dialect, Message } from '@vf/core';
import { MessageGraph, textOf } from '@vf/core/trace';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { RequestMemory } from '@vf/interception';
import { describe, expect, test } from 'vitest';
import { callsOf, sampledBy } from './agent-traffic.ts';

const agents: readonly (readonly [agent: string, dialect: Dialect])[] = [
  ['claude-code', messages],
  ['codex', responses],
  ['kimi-code', chatCompletions],
  ['opencode', chatCompletions],
  ['pi', chatCompletions],
];

/** Messages of a request by a full parse. */
function readWhole(
  { request }: Dialect,
  body: Readonly<Record<string, unknown>>,
): readonly Message[] {
  const items = body[request.growing] as readonly unknown[];
  const openings = items.flatMap((item, at) =>
    at === 0 || request.opens(item, items[at - 1]) ? [at] : [],
  );
  const groups = openings.map((start, index) => items.slice(start, openings[index + 1]));
  return [
    ...request.preamble({ ...body, [request.growing]: [] }),
    ...groups.flatMap((group) => request.messages(group)),
  ];
}

function chunked(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

describe.each(agents)('a session of %s', (agent, dialect) => {
  const calls = callsOf(agent);

  test('is read piece by piece as a full parse reads it', () => {
    const graph = new MessageGraph();
    const memory = new RequestMemory(graph, dialect);
    const restates = dialect.request.restates.bind(dialect.request);
    let continued = 0;
    for (const { path, body, reply } of calls) {
      const request = memory.read(chunked(JSON.stringify(body), 700), path);
      const whole = readWhole(dialect, body);
      const { at, matched } = graph.walk(graph.start(dialect.request.tools(body)), whole, restates);
      expect(request.at).toEqual(at);
      expect(request.known).toBe(matched);
      expect(request.tail.map(({ said }) => said)).toEqual(whole.slice(matched));
      expect(request.settings).toEqual(
        dialect.request.settings({ ...body, [dialect.request.growing]: [] }, path),
      );
      if (at.node !== null && graph.nodes.slice(0, at.node + 1).some(({ sampled }) => sampled))
        continued++;
      const message = sampledBy(dialect, reply);
      expect(message).not.toBeNull();
      if (message === null) continue;
      request.settle(
        graph.commit(request.at, request.tail, { message }, { timestamp: 0, restates }),
      );
    }
    expect(continued).toBeGreaterThan(0);
  });

  test('goes upstream with another model and not one other byte changed', () => {
    const graph = new MessageGraph();
    const memory = new RequestMemory(graph, dialect);
    for (const { path, body } of calls) {
      const text = JSON.stringify(body);
      const request = memory.read(chunked(text, 999), path);
      expect(Buffer.concat(request.edited({}).body).toString()).toBe(text);
      const edited = Buffer.concat(request.edited({ model: 'another' }).body).toString();
      expect(edited).toBe(text.replace(/"model":"[^"]*"/, '"model":"another"'));
      request.settle(graph.commit(request.at, request.tail, null, { timestamp: 0 }));
    }
  });

  test('keeps a rewritten message rewritten in every later request', () => {
    const graph = new MessageGraph();
    const memory = new RequestMemory(graph, dialect);
    let rewritten = 0;
    for (const { path, body } of calls) {
      const request = memory.read([Buffer.from(JSON.stringify(body))], path);
      const rewrites = new Map<number, Message>();
      request.tail.forEach(({ said, rewritable }, index) => {
        if (rewritable && said.role === 'user')
          rewrites.set(index, { role: 'user', content: `short ${index}` });
      });
      const edited = request.edited({}, rewrites);
      const sent = readWhole(
        dialect,
        JSON.parse(Buffer.concat(edited.body).toString()) as Record<string, unknown>,
      );
      const users = sent.filter(({ role }) => role === 'user');
      expect(users.every(({ content }) => /^short \d+$/.test(textOf(content)))).toBe(true);
      expect(edited.call().messages.filter(({ role }) => role === 'user')).toEqual(users);
      rewritten += users.length - rewrites.size;
      const prompt = request.tail.map(({ said }, index) => {
        const message = rewrites.get(index);
        return message === undefined ? { said } : { said, sent: message };
      });
      request.settle(graph.commit(request.at, prompt, null, { timestamp: 0 }));
    }
    expect(rewritten).toBeGreaterThan(0);
  });
});
