import { textOf } from '@vf/core/trace';
import { afterEach, describe, expect, test } from 'vitest';
import { readUntil, readerOf, rig, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain, streamed } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

const good = plain({ text: 'hello', finish: 'stop' });

describe('a prompt hook', () => {
  test('is asked once per new message; what it says goes upstream now and on every restatement', async () => {
    const asked: string[] = [];
    const { provider, trace, post } = await start(
      {},
      {
        rewritePrompt: async (message) => {
          asked.push(textOf(message.content));
          if (message.role === 'user' && message.content === 'secret')
            return { ...message, content: 'masked' };
          return undefined;
        },
      },
    );
    provider.script(good);
    await post(userTurn('secret'));
    await post(userTurn('secret', 'hello', 'more'));
    expect(asked).toEqual(['secret', 'more']);
    const sent = provider.received.map(
      ({ body }) => (JSON.parse(body) as { messages: { content: string }[] }).messages,
    );
    expect(sent.map((messages) => messages.map(({ content }) => content))).toEqual([
      ['masked'],
      ['masked', 'hello', 'more'],
    ]);
    expect(trace.graph.nodes[0]).toMatchObject({
      message: { content: 'masked' },
      said: { content: 'secret' },
    });
    expect(trace.branches).toHaveLength(1);
  });

  test('decides once also when the call fails and the agent asks again', async () => {
    let decisions = 0;
    const { provider, post } = await start(
      { limits: { retries: 0 } },
      {
        rewritePrompt: async (message) =>
          message.role === 'user' ? { ...message, content: `take ${++decisions}` } : undefined,
      },
    );
    provider.script(plain({}, 500), good);
    await post(userTurn('hi'));
    await post(userTurn('hi'));
    expect(provider.received.map(({ body }) => body.includes('take 1'))).toEqual([true, true]);
  });

  test('that throws is told to the agent and sends nothing', async () => {
    const { provider, post } = await start(
      {},
      { rewritePrompt: () => Promise.reject(new Error('broken')) },
    );
    provider.script(good);
    expect((await post(userTurn('hi'))).status).toBe(400);
    expect(provider.received).toEqual([]);
  });
});

describe('a reply hook', () => {
  const rewriteReply: NonNullable<Parameters<typeof rig>[1]>['rewriteReply'] = async (reply) =>
    reply.content === 'use the answer key' ? { ...reply, content: 'think' } : undefined;

  test.each([false, true])(
    'tells the agent another reply (stream: %s); both are in the record',
    async (stream) => {
      const { provider, trace, post } = await start({}, { rewriteReply });
      const text = 'use the answer key';
      provider.script(stream ? streamed(eventsOf(text)) : plain({ text, finish: 'stop' }));
      const told = await (await post({ ...userTurn('hi'), stream })).text();
      expect(told).toContain('think');
      expect(told).not.toContain('answer');
      expect(trace.graph.nodes).toMatchObject([
        { message: { content: 'hi' } },
        { message: { content: text }, sampled: true, parent: 0 },
        {
          message: { content: 'think' },
          sampled: false,
          parent: 0,
          links: [{ node: 1, type: 'rewrite' }],
        },
      ]);
      provider.script(good);
      await post(userTurn('hi', 'think', 'go on'));
      expect(trace.messages.map(({ content }) => content)).toEqual([
        'hi',
        'think',
        'go on',
        'hello',
      ]);
    },
  );

  test('that leaves a reply alone leaves its bytes alone', async () => {
    const { provider, trace, post } = await start({ includeUsage: false }, { rewriteReply });
    provider.script(streamed(eventsOf('one two')), good);
    expect(await (await post({ ...userTurn('hi'), stream: true })).text()).toBe(
      eventsOf('one two'),
    );
    expect(await (await post(userTurn('ho'))).json()).toMatchObject({ text: 'hello' });
    expect(trace.graph.nodes.map(({ sampled }) => sampled)).toEqual([false, true, false, true]);
  });

  test('gets keep-alives sent while it makes the agent wait', async () => {
    const gate = Promise.withResolvers<void>();
    const { provider, post } = await start(
      { limits: { earlyHead: 20, keepAlive: 20 } },
      { rewriteReply: async (reply) => (await gate.promise, { ...reply, content: 'late' }) },
    );
    provider.script(streamed(eventsOf('one two')));
    const reader = readerOf(await post({ ...userTurn('hi'), stream: true }));
    expect(await readUntil(reader, ': keep-alive')).not.toContain('one');
    gate.resolve();
    expect(await readUntil(reader, 'DONE')).toContain('late');
  });

  test('that throws is told to the agent; the call is recorded without a turn', async () => {
    const { provider, trace, post } = await start(
      {},
      { rewriteReply: () => Promise.reject(new Error('broken')) },
    );
    provider.script(good);
    expect((await post(userTurn('hi'))).status).toBe(400);
    expect(trace.calls).toMatchObject([{ node: null, error: { code: 'aborted' } }]);
    expect(trace.graph.nodes).toEqual([]);
  });
});
