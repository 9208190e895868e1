import type { Call, Edit } from '@vf/core';
import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';

const { request } = chat;

describe('settings', () => {
  it('[chat/settings] reads each', () => {
    const top = {
      model: 'm',
      messages: [],
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      max_tokens: 7,
      max_completion_tokens: 9,
      stop: 'END',
      seed: 1,
      reasoning_effort: 'low',
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      parallel_tool_calls: false,
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: { type: 'object' }, strict: true },
      },
      metadata: { a: 1 },
    };
    expect(request.settings(top, '')).toEqual({
      model: 'm',
      stream: true,
      includeUsage: true,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      maxOutputTokens: 9,
      stop: ['END'],
      seed: 1,
      reasoningEffort: 'low',
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      parallelToolCalls: false,
      toolChoice: { name: 'f' },
      responseFormat: { name: 'n', schema: { type: 'object' }, strict: true },
      extra: { metadata: { a: 1 }, stream_options: { include_obfuscation: false } },
    });
  });

  it('[chat/settings] keeps a choice that has no name among the extra keys', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } };
    expect(request.settings({ tool_choice: choice }, '').extra).toEqual({ tool_choice: choice });
  });
});

describe('edits', () => {
  const edits = (
    want: Parameters<typeof request.edits>[0],
    top: Readonly<Record<string, unknown>>,
  ): readonly Edit[] => request.edits(want, top, '');

  it('[chat/overrides] makes only those that are needed', () => {
    const top = { model: 'a', temperature: 0.5, stop: 'END', seed: 3 };
    const want = { model: 'b', temperature: 0.5, stop: ['END'], stream: false, topP: 0.9 };
    expect(edits(want, top)).toEqual([
      { key: 'model', value: 'b' },
      { key: 'top_p', value: 0.9 },
    ]);
  });

  it.each([
    [{}, [{ key: 'max_completion_tokens', value: 5 }]],
    [{ max_tokens: 9 }, [{ key: 'max_tokens', value: 5 }]],
    [{ max_completion_tokens: 9 }, [{ key: 'max_completion_tokens', value: 5 }]],
    [
      { max_completion_tokens: 9, max_tokens: 9 },
      [
        { key: 'max_tokens', value: undefined },
        { key: 'max_completion_tokens', value: 5 },
      ],
    ],
    [{ max_tokens: 5 }, []],
  ])('[chat/max-tokens] over %j', (top, expected) => {
    expect(edits({ maxOutputTokens: 5 }, top)).toEqual(expected);
  });

  it('[chat/tool-keys] sets tool keys only beside tools', () => {
    const want = { toolChoice: 'required', parallelToolCalls: false } as const;
    expect(edits(want, { tools: [] })).toEqual([]);
    expect(edits(want, { tools: [{}] })).toEqual([
      { key: 'parallel_tool_calls', value: false },
      { key: 'tool_choice', value: 'required' },
    ]);
  });

  it('[chat/tool-keys] takes stream options out of a request that no longer streams', () => {
    expect(edits({ stream: false }, { stream: true, stream_options: {} })).toEqual([
      { key: 'stream', value: false },
      { key: 'stream_options', value: undefined },
    ]);
  });

  it.each([
    [{ stream: true }, [{ key: 'stream_options', value: { include_usage: true } }]],
    [
      { stream: true, stream_options: { include_obfuscation: false } },
      [{ key: 'stream_options', value: { include_obfuscation: false, include_usage: true } }],
    ],
    [
      { stream: true, stream_options: { include_usage: false } },
      [{ key: 'stream_options', value: { include_usage: true } }],
    ],
    [{ stream: true, stream_options: { include_usage: true } }, []],
    [{ stream: false }, []],
    [{}, []],
  ])('[chat/include-usage] over %j', (top, expected) => {
    expect(edits({ includeUsage: true }, top)).toEqual(expected);
  });
});

describe('a whole request', () => {
  const call: Call = {
    preamble: [{ role: 'system', content: 's' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'u' },
          { type: 'image', url: 'https://host/a.png' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning: 'r',
        toolCalls: [
          { id: '1', name: 'f', arguments: '{}' },
          { id: '2', name: 'g', arguments: 'x', kind: 'custom' },
        ],
      },
      { role: 'tool', toolCallId: '1', content: 'done' },
    ],
    tools: [
      { name: 'f', description: 'F', parameters: { type: 'object' } },
      { name: 'g', kind: 'custom' },
      { name: 'web', kind: 'web_search_20250305', native: null },
    ],
    settings: {
      model: 'm',
      stream: true,
      includeUsage: true,
      maxOutputTokens: 5,
      stop: ['x'],
      toolChoice: 'auto',
      responseFormat: 'json',
    },
  };

  it('[chat/write] is written from a call', () => {
    expect(request.write(call)).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 5,
      stop: ['x'],
      tool_choice: 'auto',
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: 's' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'u' },
            { type: 'image_url', image_url: { url: 'https://host/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'r',
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } },
            { id: '2', type: 'custom', custom: { name: 'g', input: 'x' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: 'done' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'F', parameters: { type: 'object' } },
        },
        { type: 'custom', custom: { name: 'g' } },
      ],
    });
  });

  it('[chat/reasoning-field] [chat/reasoning-details] replays reasoning as it came', () => {
    const details = [
      { type: 'reasoning.text', text: 'r', signature: 'S' },
      { type: 'reasoning.encrypted', data: 'D' },
    ];
    const item = { role: 'assistant', content: 'a', reasoning: 'r', reasoning_details: details };
    const messages = request.messages([item]);
    expect(request.write({ ...call, preamble: [], messages })['messages']).toEqual([item]);
  });
});
