import type { Call, Edit, Settings } from '@vf/core';
import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';

const { request } = dialect;

describe('settings', () => {
  it('[messages/settings] reads each', () => {
    const top = {
      model: 'm',
      messages: [],
      system: 's',
      stream: true,
      max_tokens: 9,
      temperature: 1,
      top_p: 0.99,
      top_k: 5,
      stop_sequences: ['END'],
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: {
        effort: 'high',
        format: { type: 'json_schema', schema: { type: 'object' } },
        task_budget: 1,
      },
      thinking: { type: 'adaptive' },
      metadata: { user_id: '{"device_id":"d"}' },
    };
    expect(request.settings(top, '')).toEqual({
      model: 'm',
      stream: true,
      maxOutputTokens: 9,
      temperature: 1,
      topP: 0.99,
      topK: 5,
      stop: ['END'],
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      toolChoice: 'required',
      parallelToolCalls: false,
      reasoningEffort: 'high',
      responseFormat: { schema: { type: 'object' } },
      extra: {
        thinking: { type: 'adaptive' },
        metadata: { user_id: '{"device_id":"d"}' },
        output_config: { task_budget: 1 },
      },
    });
  });

  it.each([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'none' }, 'none'],
    [{ type: 'tool', name: 'f' }, { name: 'f' }],
  ])('[messages/settings] tool choice %j', (choice, expected) => {
    expect(request.settings({ tool_choice: choice }, '').toolChoice).toEqual(expected);
  });
});

const edits = (want: Partial<Settings>, top: Readonly<Record<string, unknown>>): readonly Edit[] =>
  request.edits(want, top, '');
const set = (key: string, value: unknown) => ({ key, value });

describe('edits', () => {
  it('[messages/overrides] makes only those that are needed', () => {
    const top = {
      model: 'a',
      max_tokens: 9,
      temperature: 1,
      output_config: { effort: 'high', task_budget: 1 },
    };
    expect(
      edits(
        { model: 'b', maxOutputTokens: 9, temperature: 1, reasoningEffort: 'low', stream: false },
        top,
      ),
    ).toEqual([set('model', 'b'), set('output_config', { task_budget: 1, effort: 'low' })]);
    expect(edits({ reasoningEffort: 'high' }, top)).toEqual([]);
  });

  it('[messages/overrides] changes a tool choice only beside tools', () => {
    const tools = [{ name: 'f' }];
    expect(edits({ toolChoice: 'required' }, {})).toEqual([]);
    expect(edits({ toolChoice: 'required' }, { tools })).toEqual([
      set('tool_choice', { type: 'any' }),
    ]);
    expect(edits({ parallelToolCalls: false }, { tools })).toEqual([
      set('tool_choice', { type: 'auto', disable_parallel_tool_use: true }),
    ]);
    expect(
      edits(
        { toolChoice: { name: 'f' } },
        { tools, tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      ),
    ).toEqual([set('tool_choice', { type: 'tool', name: 'f', disable_parallel_tool_use: true })]);
  });

  const thinking = { type: 'enabled', budget_tokens: 4000 };
  const gone = set('thinking', undefined);

  it.each<[Partial<Settings>, readonly Edit[]]>([
    [{ temperature: 0 }, [set('temperature', 0), gone]],
    [{ temperature: 1 }, [set('temperature', 1)]],
    [{ topK: 5 }, [set('top_k', 5), gone]],
    [{ topP: 0.5 }, [set('top_p', 0.5), gone]],
    [{ topP: 0.99 }, [set('top_p', 0.99)]],
    [
      { maxOutputTokens: 3000 },
      [set('max_tokens', 3000), set('thinking', { ...thinking, budget_tokens: 2999 })],
    ],
    [{ maxOutputTokens: 500 }, [set('max_tokens', 500), gone]],
    [{ maxOutputTokens: 9000 }, [set('max_tokens', 9000)]],
    [{ reasoningEffort: 'none' }, [gone]],
  ])('[messages/refused-mixes] %j beside thinking', (want, expected) => {
    expect(edits(want, { thinking })).toEqual(expected);
  });

  it('[messages/refused-mixes] takes the clearing of thinking out with it', () => {
    const context_management = {
      edits: [
        { type: 'clear_thinking_20251015', keep: 'all' },
        { type: 'clear_tool_uses_20250919' },
      ],
    };
    expect(
      edits({ temperature: 0 }, { thinking: { type: 'adaptive' }, context_management }),
    ).toEqual([
      set('temperature', 0),
      gone,
      set('context_management', { edits: [{ type: 'clear_tool_uses_20250919' }] }),
    ]);
    expect(
      edits({ temperature: 0 }, { thinking: { type: 'disabled' }, context_management }),
    ).toEqual([set('temperature', 0)]);
  });

  it('[messages/refused-mixes] leaves one of temperature and top_p', () => {
    expect(edits({ temperature: 0 }, { top_p: 0.9 })).toEqual([
      set('temperature', 0),
      set('top_p', undefined),
    ]);
    expect(edits({ topP: 0.9 }, { temperature: 0 })).toEqual([
      set('top_p', 0.9),
      set('temperature', undefined),
    ]);
  });
});

describe('a whole request', () => {
  const settings: Settings = {
    model: 'm',
    stream: true,
    temperature: 0,
    stop: ['x'],
    toolChoice: 'required',
    reasoningEffort: 'low',
  };
  const call: Call = {
    preamble: [{ role: 'system', content: 's' }],
    messages: [
      { role: 'system', content: 't' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'u' },
          { type: 'image', url: 'data:image/png;base64,AA==' },
          { type: 'image', url: 'https://host/a.png' },
        ],
      },
      {
        role: 'assistant',
        content: 'a',
        reasoning: 'lost',
        toolCalls: [
          { id: '1', name: 'f', arguments: '{ "x": 1 }' },
          { id: '2', name: 'g', arguments: 'free', kind: 'custom' },
          { id: '3', name: 'f', arguments: '' },
        ],
        providerState: [{ type: 'reasoning.text', text: 'of another dialect' }],
      },
      { role: 'tool', toolCallId: '1', content: 'r1' },
      { role: 'tool', toolCallId: '2', content: 'r2', isError: true },
      { role: 'user', content: 'more' },
    ],
    tools: [
      { name: 'f', description: 'F', parameters: { type: 'object' } },
      { name: 'g', kind: 'custom' },
    ],
    settings,
  };

  it('[messages/write] is written from a call', () => {
    expect(request.write(call)).toEqual({
      model: 'm',
      stream: true,
      max_tokens: 8192,
      temperature: 0,
      stop_sequences: ['x'],
      tool_choice: { type: 'any' },
      output_config: { effort: 'low' },
      system: [
        { type: 'text', text: 's' },
        { type: 'text', text: 't' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'u' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'image', source: { type: 'url', url: 'https://host/a.png' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool_use', id: '1', name: 'f', input: { x: 1 } },
            { type: 'tool_use', id: '2', name: 'g', input: { input: 'free' } },
            { type: 'tool_use', id: '3', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'r1' },
            { type: 'tool_result', tool_use_id: '2', content: 'r2', is_error: true },
          ],
        },
        { role: 'user', content: 'more' },
      ],
      tools: [
        { name: 'f', description: 'F', input_schema: { type: 'object' } },
        {
          name: 'g',
          input_schema: {
            type: 'object',
            properties: { input: { type: 'string' } },
            required: ['input'],
          },
        },
      ],
    });
  });

  it('[messages/order] [messages/caller] replays blocks in their order', () => {
    const content = [
      { type: 'thinking', thinking: 'one', signature: 'S1' },
      { type: 'text', text: 'a' },
      {
        type: 'tool_use',
        id: '1',
        name: 'f',
        input: {},
        caller: { type: 'code_execution_20250825', tool_id: 's' },
      },
      { type: 'redacted_thinking', data: 'R' },
      { type: 'text', text: 'bc' },
      { type: 'tool_use', id: '2', name: 'f', input: { x: [] } },
    ];
    const messages = request.messages([{ role: 'assistant', content }]);
    expect(request.write({ ...call, preamble: [], messages })['messages']).toEqual([
      { role: 'assistant', content },
    ]);
  });
});
