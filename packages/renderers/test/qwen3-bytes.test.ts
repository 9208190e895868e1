import type { Message } from '@vf/core';
import { byteTokenizer } from '@vf/testkit';
import { describe, expect, it } from 'vitest';
import { assistantMessage } from '../src/assistant-message.ts';
import { qwen3 } from '../src/families/qwen3.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import { ids } from './ids.ts';

const renderer = makeRenderer(qwen3, byteTokenizer);
const keeping = makeRenderer(qwen3, byteTokenizer, { retention: 'all' });
const user = (content: string): Message => ({ role: 'user', content });
const tool = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  content,
});
const ones = (bits: Uint8Array): number[] => [...bits.keys()].filter((at) => bits[at] === 1);

describe('render', () => {
  it('[renderer/r1] gives each message its tokens', () => {
    const rendered = renderer.render({ messages: [{ role: 'system', content: 'S' }, user('hi')] });
    expect(rendered.tokenIds).toEqual(ids('«S»system\nS«E»\n«S»user\nhi«E»\n«S»assistant\n'));
    expect(rendered.spans).toEqual([
      [0, 11],
      [11, 21],
    ]);
    expect(ones(rendered.isContent)).toEqual([8, 17, 18]);
    expect(renderer.stopIds).toEqual([257, 258]);
  });

  it('[renderer/r2] marks both bytes of a character', () => {
    const rendered = renderer.render({ messages: [user('é')] });
    expect(rendered.tokenIds).toHaveLength(21);
    expect(rendered.spans).toEqual([[0, 10]]);
    expect(ones(rendered.isContent)).toEqual([6, 7]);
  });

  it('[renderer/r3] marks what the model wrote, and prints arguments as they are', () => {
    const call = { id: 'c', name: 'f', arguments: '{"a":1}' };
    const rendered = renderer.render({
      messages: [
        user('q'),
        { role: 'assistant', content: '', reasoning: 'R', toolCalls: [call] },
        tool('c', 'x'),
        tool('d', 'y'),
      ],
    });
    expect(rendered.tokenIds).toEqual(
      ids(
        '«S»user\nq«E»\n«S»assistant\n«T»\nR\n«t»\n\n«C»\n{"name": "f", "arguments": {"a":1}}\n«c»«E»\n' +
          '«S»user\n«R»\nx\n«r»\n«R»\ny\n«r»«E»\n«S»assistant\n',
      ),
    );
    expect(rendered.spans).toEqual([
      [0, 9],
      [9, 68],
      [68, 79],
      [79, 87],
    ]);
    const sampled = Array.from({ length: 47 }, (_, at) => 20 + at);
    expect(ones(rendered.sampledMask)).toEqual(sampled);
    expect(ones(rendered.isContent)).toEqual([6, ...sampled, 76, 82]);
  });

  it('[renderer/r4] drops the reasoning of past turns', () => {
    const rendered = renderer.render({
      messages: [user('q'), { role: 'assistant', content: 'A', reasoning: 'R' }, user('n')],
    });
    expect(rendered.tokenIds).toHaveLength(43);
    expect(rendered.spans).toEqual([
      [0, 9],
      [9, 23],
      [23, 32],
    ]);
  });

  it('[renderer/r5] has no content in an empty message', () => {
    const rendered = renderer.render({ messages: [user('')] });
    expect(rendered.spans).toEqual([[0, 8]]);
    expect(ones(rendered.isContent)).toEqual([]);
  });

  it('[renderer/r6] closes the thought when thinking is off', () => {
    const quiet = makeRenderer(qwen3, byteTokenizer, { thinking: false });
    const { tokenIds } = quiet.render({ messages: [user('q')] });
    expect(tokenIds).toEqual(ids('«S»user\nq«E»\n«S»assistant\n«T»\n\n«t»\n\n'));
  });

  it('[renderer/r7] writes control tokens that content spells as text, and counts them', () => {
    const rendered = renderer.render({ messages: [user('<|im_end|>x')] });
    expect(rendered.tokenIds).toEqual(ids('«S»user\n<|im_end|>x«E»\n«S»assistant\n'));
    expect(rendered.spelledControls).toEqual([0]);
  });

  it('[renderer/r8] renders a list of text parts as its text', () => {
    const { tokenIds } = renderer.render({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
    expect(tokenIds).toEqual(ids('«S»user\nhi«E»\n«S»assistant\n'));
  });

  it('refuses images by name', () => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'image', url: 'data:,' }] }];
    expect(() => renderer.render({ messages })).toThrow(/user message holds an image/);
  });

  it('refuses tools that are no plain function', () => {
    const tools = [{ name: 'patch', kind: 'custom' }];
    expect(() => renderer.render({ messages: [user('q')], tools })).toThrow(
      /"patch" is no plain function/,
    );
  });
});

describe('bridge', () => {
  const promptIds = renderer.render({ messages: [user('q')] }).tokenIds;
  const after = (completion: string, messages: readonly Message[], by = keeping) =>
    by.bridge({
      previous: { promptIds, completionIds: ids(completion) },
      messages: [user('q'), { role: 'assistant', content: 'ok' }, ...messages],
      from: 2,
    });
  const whole = ids('«S»user\nq«E»\n«S»assistant\nok«E»\n«S»user\nn«E»\n«S»assistant\n');

  it('[renderer/b1] adds the new message alone', () => {
    const bridged = after('ok«E»', [user('n')]);
    expect(bridged?.tokenIds).toEqual(whole);
    expect(bridged?.spans).toEqual([[24, 33]]);
    const messages: Message[] = [user('q'), { role: 'assistant', content: 'ok' }, user('n')];
    expect(renderer.render({ messages }).tokenIds).toEqual(whole);
  });

  it('[renderer/b2] closes a reply that was cut, untrained', () => {
    const bridged = after('ok', [user('n')]);
    expect(bridged?.tokenIds).toEqual(whole);
    expect(bridged?.messageIndices[22]).toBe(-1);
    expect(bridged?.sampledMask[22]).toBe(0);
  });

  it('[renderer/b3] puts parallel results into one turn', () => {
    const bridged = after('«C»\n{"name": "f", "arguments": {}}\n«c»«E»', [
      tool('a', 'x'),
      tool('b', 'y'),
    ]);
    expect(bridged?.spans).toEqual([
      [56, 67],
      [67, 75],
    ]);
  });

  it('[renderer/b4] takes the other stop token for a close', () => {
    const bridged = after('ok«X»', [user('n')]);
    expect(bridged?.tokenIds).toEqual(
      ids('«S»user\nq«E»\n«S»assistant\nok«X»\n«S»user\nn«E»\n«S»assistant\n'),
    );
  });

  it.each(['ok«E»\n', 'ok«E»z'])(
    '[renderer/b5] cuts what was sampled after the close: %j',
    (completion) => {
      expect(after(completion, [user('n')])?.tokenIds).toEqual(whole);
    },
  );

  it('[renderer/b6] refuses what it cannot say', () => {
    expect(after('ok«E»', [{ role: 'assistant', content: 'x' }])).toBeNull();
    expect(after('ok«E»', [])).toBeNull();
    const previous = { promptIds: new Int32Array(0), completionIds: ids('ok«E»') };
    expect(keeping.bridge({ previous, messages: [user('n')], from: 0 })).toBeNull();
  });

  it('[renderer/b7] leaves a user message to a full render while reasoning is dropped there', () => {
    const completion = '«T»\nR\n«t»\n\nok«E»';
    expect(after(completion, [user('n')], renderer)).toBeNull();
    expect(after(completion, [user('n')])).not.toBeNull();
    expect(after(completion, [tool('c', 'x')], renderer)).not.toBeNull();
  });
});

describe('parse', () => {
  const call = (name: string | null, text: string | null, status: string) =>
    expect.objectContaining({ name, arguments: text, status });
  it.each([
    ['[renderer/p1]', 'ok«E»', 'ok', null, []],
    ['[renderer/p2]', '«T»\nR\n«t»\n\nA«E»', 'A', 'R', []],
    [
      '[renderer/p3]',
      'hey\n«C»\n{"name": "f", "arguments": {"a": 1}}\n«c»«E»',
      'hey',
      null,
      [call('f', '{"a": 1}', 'ok')],
    ],
    ['[renderer/p4]', '«C»\n{"name": "f",}\n«c»«E»', '', null, [call(null, null, 'invalid_json')]],
    ['[renderer/p5]', '«C»\n{"name": "f"', '', null, [call(null, null, 'unclosed_block')]],
    ['[renderer/p6]', '«C»{"arguments": {}}«c»', '', null, [call(null, '{}', 'missing_name')]],
    ['[renderer/p7]', 'use <tool_call> tag«E»', 'use <tool_call> tag', null, []],
    ['[renderer/p8]', 'a«E»b', 'a', null, []],
    ['[renderer/p9]', '«C»{"name":"f","arguments":"{}"}«c»', '', null, [call('f', '{}', 'ok')]],
    [
      '[renderer/p10]',
      '«C»{"name":"f","arguments":{}}«c»tail«E»',
      'tail',
      null,
      [call('f', '{}', 'ok')],
    ],
    [
      '[renderer/p11]',
      '«C»{"name":"f","arguments":{}}«c»\n«C»{"name":"g","arguments":{}}«c»«E»',
      '',
      null,
      [call('f', '{}', 'ok'), call('g', '{}', 'ok')],
    ],
  ])('%s %j', (_, completion, content, reasoning, calls) => {
    expect(renderer.parse(ids(completion))).toEqual({ content, reasoning, calls });
  });

  it('says where a call stands', () => {
    const { calls } = renderer.parse(ids('hey\n«C»\n{"name": "f", "arguments": {"a": 1}}\n«c»«E»'));
    expect(calls[0]?.span).toEqual([4, 44]);
  });

  it('marks a tool that was not offered, and leaves it visible as text', () => {
    const parsed = renderer.parse(ids('«C»{"name":"g","arguments":{}}«c»«E»'), [{ name: 'f' }]);
    expect(parsed.calls[0]?.status).toBe('unknown_tool');
    const reply = assistantMessage(parsed, (index) => `call_${index}`);
    expect(reply).toEqual({
      message: { role: 'assistant', content: '{"name":"g","arguments":{}}' },
      malformedCalls: 1,
    });
  });
});
