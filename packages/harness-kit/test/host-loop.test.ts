import type { HostTool, Message, ToolResult } from '@vf/core';
import {
  byTurn,
  callTool,
  cut,
  deliver,
  fail,
  failInStream,
  hang,
  hangUp,
  say,
  think,
  usage,
} from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { hostDialects } from '../src/index.ts';
import { loopRig, signal } from './loop-rig.ts';

const open = loopRig();

function tool(name: string, result: ToolResult, asked: string[] = []): HostTool {
  const call = async (json: string): Promise<ToolResult> => {
    asked.push(json);
    return result;
  };
  return { spec: { name, description: `does ${name}` }, call };
}

const lastMessages = (model: ScriptedModel): readonly Message[] =>
  model.turns.at(-1)?.call?.messages ?? [];

const cases = hostDialects.flatMap((dialect) => [
  { dialect, stream: false },
  { dialect, stream: true },
]);

describe.each(cases)('$dialect, streamed: $stream', ({ dialect, stream }) => {
  test('asks, calls tools and restates what was said', async () => {
    const asked: string[] = [];
    const taskTools = [
      tool('add', { content: { sum: 5 } }, asked),
      tool('sub', { content: 'x', isError: true }),
    ];
    const script = byTurn([
      [
        think('hm', { signature: 'sig' }),
        say('Let me add é🙂.'),
        callTool('add', '{"a": 2, "b": 3}'),
        callTool('sub', '{}'),
        callTool('none', '{}'),
      ],
      say('It is 5.'),
    ]);
    const { session, model } = await open(dialect, script, {
      stream,
      taskTools,
      systemPrompt: 'Be brief.',
    });
    expect(await session.turn('2 + 3?', signal)).toEqual({ status: 'completed' });
    expect(asked.map((json) => JSON.parse(json) as unknown)).toEqual([{ a: 2, b: 3 }]);
    expect(model.faults).toEqual([]);
    expect(model.turns.map(({ call }) => [call?.model, call?.stream, call?.turn])).toEqual([
      ['m1', stream, 0],
      ['m1', stream, 1],
    ]);
    const messages = lastMessages(model);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
    ]);
    expect(messages[0]).toMatchObject({ content: 'Be brief.' });
    expect(messages[2]).toMatchObject({
      content: 'Let me add é🙂.',
      toolCalls: [{ name: 'add' }, { name: 'sub' }, { name: 'none' }],
    });
    expect(messages[3]).toMatchObject({ content: '{"sum":5}' });
    expect(messages[5]).toMatchObject({ content: 'there is no tool none' });
    expect(model.turns[0]?.call?.tools).toMatchObject([
      { name: 'add', description: 'does add', parameters: { type: 'object' } },
      { name: 'sub' },
    ]);
  });

  test('goes on with what was said before', async () => {
    const { session, model } = await open(dialect, byTurn([say('One.'), say('Two.')]), { stream });
    await session.turn('Count.', signal);
    await session.turn('Go on.', signal);
    const said = lastMessages(model).map(({ role, content }) => [role, content]);
    expect(said).toEqual([
      ['user', 'Count.'],
      ['assistant', 'One.'],
      ['user', 'Go on.'],
    ]);
    expect(model.turns[0]?.json).not.toHaveProperty('tools');
  });

  test('takes message lists: system, images, earlier tool calls', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
    const { session, model } = await open(dialect, () => say('A dot.'), { stream });
    const prompt: Message[] = [
      { role: 'system', content: 'You see.' },
      { role: 'user', content: [{ type: 'text', text: 'What?' }, image] },
      {
        role: 'assistant',
        content: 'I zoom.',
        toolCalls: [{ id: 'c1', name: 'zoom', arguments: '{"n":2}' }],
      },
      { role: 'tool', toolCallId: 'c1', content: 'zoomed' },
    ];
    expect(await session.turn(prompt, signal)).toEqual({ status: 'completed' });
    expect(lastMessages(model)).toMatchObject(prompt);
  });

  test.each(['gzip', 'br', 'zstd'] as const)(
    'reads a reply that came packed: %s',
    async (encoding) => {
      const reply = [say('Packed.'), deliver({ encoding })];
      const { session, model } = await open(dialect, byTurn([reply, say('Bye.')]), { stream });
      expect(await session.turn('Hello?', signal)).toEqual({ status: 'completed' });
      await session.turn('And?', signal);
      expect(lastMessages(model)).toContainEqual({ role: 'assistant', content: 'Packed.' });
    },
  );

  test('a reply without text does not end the conversation', async () => {
    const { session, model } = await open(dialect, byTurn([say(''), say('Yes.')]), { stream });
    expect(await session.turn('Hello?', signal)).toEqual({ status: 'completed' });
    expect(await session.turn('Still there?', signal)).toEqual({ status: 'completed' });
    expect(model.turns).toHaveLength(2);
  });

  test('stops at its own bound and when a tool ends the rollout', async () => {
    const again = (): ReturnType<typeof callTool> => callTool('again', '{}');
    const { session, model } = await open(dialect, again, {
      stream,
      maxTurns: 3,
      taskTools: [tool('again', { content: 'more' })],
    });
    expect(await session.turn('Go.', signal)).toEqual({
      status: 'completed',
      detail: 'stopped after 3 model calls',
    });
    expect(model.turns).toHaveLength(3);
    const over = await open(dialect, again, {
      stream,
      taskTools: [tool('again', { content: 'over', end: { reason: 'won' } })],
    });
    expect(await over.session.turn('Go.', signal)).toEqual({ status: 'completed' });
    expect(over.model.turns).toHaveLength(1);
  });

  test.each([
    ['a refusal', fail(400, { message: 'the rollout is over' }), /^HTTP 400: the rollout is over$/],
    ['a failure without a body', fail(502, { body: '' }), /^HTTP 502: $/],
    ['status 200 with an error', fail(200, { message: 'overloaded' }), /^overloaded$/],
    [
      'a body that is no reply',
      fail(200, { body: '{"a":1}' }),
      /^the reply is none of its dialect: {"a":1}$/,
    ],
    ['a connection that is closed', hangUp(), /closed|reset|hang/i],
  ])('%s ends the turn after one request', async (_name, step, detail) => {
    const { session, model } = await open(dialect, () => step, { stream });
    const segment = await session.turn('Go.', signal);
    expect(segment).toEqual({ status: 'failed', detail: expect.stringMatching(detail) as string });
    expect(model.turns).toHaveLength(1);
  });

  test('an abort ends the call', async () => {
    const abort = new AbortController();
    const { session, model } = await open(dialect, () => hang(), { stream });
    const turn = session.turn('Go.', abort.signal);
    await model.received(1);
    abort.abort(new Error('enough'));
    await expect(turn).rejects.toThrow('enough');
    expect(await model.turns[0]?.over).toBe('gone');
  });
});

describe.each(hostDialects)('%s streams that end badly', (dialect) => {
  test.each([
    ['cut', [say('half a reply, cut'), cut(-1, 'close')], /./],
    ['ended too soon', [say('half'), cut(1, 'end')], /the stream ended before/],
    ['ended by an error event', [say('half'), failInStream('overloaded', 'too busy')], /too busy/],
  ] as const)('%s', async (_name, reply, detail) => {
    const { session } = await open(dialect, () => reply, { stream: true });
    const segment = await session.turn('Go.', signal);
    expect(segment).toEqual({ status: 'failed', detail: expect.stringMatching(detail) as string });
  });

  test('usage is asked for where it must be', async () => {
    const { session } = await open(dialect, () => [say('x'), usage(null)], { stream: true });
    expect(await session.turn('Go.', signal)).toEqual({ status: 'completed' });
  });
});
