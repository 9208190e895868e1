import type { VfError } from '@vf/core/errors';
import { describe, expect, it } from 'vitest';
import responses from '../src/index.ts';
import { codexRich } from './fixtures.ts';

const { request } = responses;
const items = codexRich[1]?.body.input ?? [];
const messages = request.messages(items);

describe('rewriting', () => {
  it('[responses/rewrite-result] replaces a result and nothing else of its item', () => {
    const index = messages.findIndex(({ role }) => role === 'tool');
    const said = messages[index];
    if (said?.role !== 'tool') throw new Error('no result in the fixture');
    const [edit, ...more] = request.rewrite(items, index, { ...said, content: 'gone' });
    expect(more).toEqual([]);
    expect(edit).toEqual({
      item: 8,
      value: { ...(items[8] as object), output: 'gone' },
    });
  });

  it('[responses/rewrite-reply] keeps ids, phase and encrypted reasoning of a rewritten reply', () => {
    const index = messages.findIndex(({ role }) => role === 'assistant');
    const said = messages[index];
    if (said?.role !== 'assistant') throw new Error('no reply in the fixture');
    const edits = request.rewrite(items, index, { ...said, content: 'Other words.' });
    expect(edits).toHaveLength(1);
    expect(edits[0]).toMatchObject({
      item: 5,
      value: { id: 'msg_r1', phase: 'commentary', content: [{ text: 'Other words.' }] },
    });
  });

  it('[responses/rewrite-room] refuses what does not fit between the items around it', () => {
    const group = [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }];
    const [said] = request.messages(group);
    if (said?.role !== 'assistant') throw new Error('no reply');
    const rewrite = (): unknown => request.rewrite(group, 0, { ...said, content: 'and words' });
    expect(rewrite).toThrow(expect.objectContaining({ code: 'taskset/hook_failed' }) as VfError);
  });

  it('[responses/write-native] restates the provider’s own items as they came', () => {
    const written = request.write({
      preamble: [],
      messages,
      tools: [],
      settings: { model: 'm', stream: true },
    });
    const own = (written['input'] as readonly unknown[]).slice(4, 8);
    expect(own).toEqual(items.slice(4, 8));
    const short = [
      { role: 'assistant', content: 'hi' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
    ];
    const settings = { model: 'm', stream: true };
    const again = request.write({
      preamble: [],
      messages: request.messages(short),
      tools: [],
      settings,
    });
    expect(again['input']).toEqual(short);
  });

  it('[responses/write-custom-output] answers custom calls with custom outputs', () => {
    const written = request.write({
      preamble: [{ role: 'system', content: 's' }],
      messages: [
        {
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'c', name: 'patch', arguments: 'x', kind: 'custom' }],
        },
        { role: 'tool', toolCallId: 'c', content: 'done' },
      ],
      tools: [],
      settings: { model: 'm', stream: false },
    });
    expect(written).toMatchObject({
      instructions: 's',
      input: [
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
      ],
    });
  });
});

describe('restating', () => {
  const sampled = {
    role: 'assistant',
    content: 'x',
    reasoning: 'sum\nraw',
    toolCalls: [{ id: 'c', name: 'f', arguments: '{"a": 1, "b": "\\u00e9"}' }],
    providerState: [
      {
        type: 'reasoning',
        encrypted_content: 'E',
        summary: [{ type: 'summary_text', text: 'sum' }],
        content: [{ type: 'reasoning_text', text: 'raw' }],
      },
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'x' }],
      },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { query: 'q' } },
    ],
  } as const;
  const { providerState, reasoning: _, ...plain } = sampled;

  it.each([
    ['reasoning, phase and hosted calls left out', plain],
    ['the summary alone', { ...plain, reasoning: 'sum' }],
    [
      'arguments respelt',
      { ...plain, toolCalls: [{ id: 'c', name: 'f', arguments: '{"b":"é","a":1}' }] },
    ],
    [
      'a hosted call under another id',
      { ...plain, providerState: [{ ...providerState[2], id: 'other' }] },
    ],
  ])('[responses/restates] takes %s for the sampled reply', (_name, said) => {
    expect(request.restates(sampled, said)).toBe(true);
  });

  it.each([
    ['other text', { ...plain, content: 'y' }],
    ['other reasoning', { ...plain, reasoning: 'other' }],
    [
      'another call',
      { ...plain, toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":2,"b":"é"}' }] },
    ],
    ['a call less', { role: 'assistant', content: 'x' } as const],
    [
      'other encrypted reasoning',
      { ...plain, providerState: [{ ...providerState[0], encrypted_content: 'F' }] },
    ],
    [
      'another phase',
      { ...plain, providerState: [{ ...providerState[1], phase: 'final_answer' }] },
    ],
    [
      'a hosted call that was not made',
      { ...plain, providerState: [{ type: 'web_search_call', action: {} }] },
    ],
  ])('[responses/restates-not] does not take %s for the sampled reply', (_name, said) => {
    expect(request.restates(sampled, said)).toBe(false);
  });

  it('[responses/restates-null] takes null, empty and absent text for one', () => {
    expect(
      request.restates({ role: 'assistant', content: null }, { role: 'assistant', content: '' }),
    ).toBe(true);
  });
});
