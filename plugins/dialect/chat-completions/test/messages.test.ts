import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';

const { request } = chat;
const one = (item: unknown) => request.messages([item])[0];

describe('messages of a request', () => {
  it('[chat/roles] maps every role', () => {
    const items = [
      { role: 'developer', content: 'd' },
      { role: 'system', content: 's' },
      { role: 'function', name: 'f', content: 'r' },
      { role: 'tool', tool_call_id: 'c', content: 'r' },
      { role: 'latest_reminder', content: 'x' },
      17,
    ];
    expect(request.messages(items)).toEqual([
      { role: 'system', content: 'd' },
      { role: 'system', content: 's' },
      { role: 'tool', toolCallId: '', name: 'f', content: 'r' },
      { role: 'tool', toolCallId: 'c', content: 'r' },
      {
        role: 'user',
        content: [{ type: 'native', native: { role: 'latest_reminder', content: 'x' } }],
      },
      { role: 'user', content: [{ type: 'native', native: 17 }] },
    ]);
  });

  it('[chat/content] reads text and images and keeps other parts', () => {
    const file = { type: 'file', file: { file_id: 'f-1' } };
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
      { type: 'image_url', image_url: 'https://host/a.png' },
      file,
    ];
    expect(one({ role: 'user', content })).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', url: 'data:image/png;base64,AA==' },
        { type: 'image', url: 'https://host/a.png' },
        { type: 'native', native: file },
      ],
    });
  });

  it.each([
    [[{ type: 'text', text: 'hi' }], 'hi'],
    [[], ''],
    [null, ''],
    [undefined, ''],
  ])('[chat/one-text-part] %j is %j', (content, expected) => {
    expect(one({ role: 'user', content })).toEqual({ role: 'user', content: expected });
  });

  it('[chat/cache-marks] leaves cache marks out', () => {
    const marked = [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
      { type: 'file', file: { file_id: 'f' }, prompt_cache_breakpoint: true, cache_control: {} },
    ];
    const bare = [
      { type: 'text', text: 'a' },
      { type: 'file', file: { file_id: 'f' } },
    ];
    expect(one({ role: 'user', content: marked })).toEqual(one({ role: 'user', content: bare }));
  });

  it('[chat/assistant-history] reads everything an assistant message holds', () => {
    const item = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'refusal', refusal: 'no' },
        { type: 'text', text: 'b' },
        { type: 'new' },
      ],
      tool_calls: [
        { id: '1', type: 'function', function: { name: 'f', arguments: '{ "a": 1 }' } },
        { id: '2', type: 'custom', custom: { name: 'g', input: 'free' } },
      ],
      function_call: { name: 'old', arguments: '{}' },
      audio: { id: 'audio_1' },
    };
    expect(one(item)).toEqual({
      role: 'assistant',
      content: 'ab',
      toolCalls: [
        { id: '1', name: 'f', arguments: '{ "a": 1 }' },
        { id: '2', name: 'g', arguments: 'free', kind: 'custom' },
        { id: '', name: 'old', arguments: '{}' },
      ],
      providerState: [
        { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
        { type: 'audio', id: 'audio_1' },
        { type: 'part', part: { type: 'new' } },
      ],
    });
  });

  it.each([
    [
      {
        reasoning: 'a',
        reasoning_content: 'b',
        reasoning_details: [{ type: 'reasoning.text', text: 'c' }],
      },
      'a',
    ],
    [
      {
        reasoning: null,
        reasoning_content: 'b',
        reasoning_details: [{ type: 'reasoning.text', text: 'c' }],
      },
      'b',
    ],
    [
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'c' },
          { type: 'reasoning.summary', summary: 'd' },
        ],
      },
      'cd',
    ],
    [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'e' }] }] }, 'e'],
  ])('[chat/reasoning-precedence] %j', (fields, expected) => {
    expect(one({ role: 'assistant', content: 'x', ...fields })).toMatchObject({
      reasoning: expected,
    });
  });

  it('[chat/reasoning-precedence] takes empty reasoning for none', () => {
    expect(one({ role: 'assistant', content: 'x', reasoning_content: '' })).toEqual({
      role: 'assistant',
      content: 'x',
    });
  });

  it('[chat/reasoning-details] joins fragments and keeps proofs', () => {
    const details = [
      { type: 'reasoning.text', text: 'a', index: 0, format: 'f' },
      { type: 'reasoning.text', text: 'b', index: 0 },
      { type: 'reasoning.text', signature: 'SIG', index: 0 },
      { type: 'reasoning.text', text: 'c', index: 1 },
      { type: 'reasoning.encrypted', data: 'D1', index: 1 },
      { type: 'reasoning.encrypted', data: 'D2', index: 1 },
      { type: 'reasoning.summary', summary: 's', index: 1 },
      { type: 'reasoning.summary', summary: 't', index: 1 },
    ];
    expect(one({ role: 'assistant', content: null, reasoning_details: details })).toEqual({
      role: 'assistant',
      content: null,
      reasoning: 'abcst',
      providerState: [
        { type: 'reasoning.text', text: 'ab', index: 0, format: 'f', signature: 'SIG' },
        { type: 'reasoning.text', text: 'c', index: 1 },
        { type: 'reasoning.encrypted', data: 'D1', index: 1 },
        { type: 'reasoning.encrypted', data: 'D2', index: 1 },
        { type: 'reasoning.summary', summary: 'st', index: 1 },
      ],
    });
  });

  it('[chat/split-reply] takes adjacent assistant items for one message', () => {
    const parts = [
      { role: 'assistant', content: 'a', reasoning_content: 'r' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', function: { name: 'f', arguments: '' } }],
      },
    ];
    const whole = {
      role: 'assistant',
      content: 'a',
      reasoning_content: 'r',
      tool_calls: [{ id: '1', function: { name: 'f', arguments: '' } }],
    };
    expect(request.opens(parts[1], parts[0])).toBe(false);
    expect(request.opens(parts[0], { role: 'user' })).toBe(true);
    expect(request.messages(parts)).toEqual(request.messages([whole]));
  });
});

describe('tools', () => {
  it('[chat/tools] reads every kind', () => {
    const parameters = { type: 'object' };
    const custom = {
      type: 'custom',
      custom: { name: 'g', description: 'G', format: { type: 'text' } },
    };
    const top = {
      tools: [
        { type: 'function', function: { name: 'f', description: 'F', parameters, strict: true } },
        { ...custom, cache_control: {} },
        { type: 'web_search' },
        'junk',
      ],
      functions: [{ name: 'old', parameters }],
    };
    expect(request.tools(top)).toEqual([
      { name: 'f', description: 'F', parameters, strict: true },
      { name: 'g', description: 'G', kind: 'custom', native: custom },
      { name: 'web_search', kind: 'web_search', native: { type: 'web_search' } },
      { name: 'old', parameters },
    ]);
  });
});
