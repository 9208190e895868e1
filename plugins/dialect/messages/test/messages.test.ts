import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';

const { request } = dialect;
const mark = { cache_control: { type: 'ephemeral' } };
const one = (item: unknown) => request.messages([item])[0];
const reply = (...content: unknown[]) => one({ role: 'assistant', content });

describe('messages of a request', () => {
  it('[messages/mid-system] keeps system and user messages in their places', () => {
    const items = [
      { role: 'user', content: 'a' },
      { role: 'system', content: [{ type: 'text', text: 's', ...mark }] },
      { role: 'user', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'critic', content: 'd' },
      null,
    ];
    expect(request.messages(items)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: 's' },
      { role: 'user', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'user', content: [{ type: 'native', native: { role: 'critic', content: 'd' } }] },
      { role: 'user', content: [{ type: 'native', native: null }] },
    ]);
  });

  it('[messages/content] reads text and images and keeps other blocks', () => {
    const document = { type: 'document', source: { type: 'file', file_id: 'f' } };
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'image', source: { type: 'url', url: 'https://host/a.png' } },
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      { ...document, ...mark },
    ];
    expect(one({ role: 'user', content })).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', url: 'data:image/png;base64,AA==' },
        { type: 'image', url: 'https://host/a.png' },
        { type: 'native', native: { type: 'image', source: { type: 'file', file_id: 'f' } } },
        { type: 'native', native: document },
      ],
    });
  });

  it.each([
    [[{ type: 'text', text: 'hi', ...mark }], 'hi'],
    ['hi', 'hi'],
    [[], ''],
    [undefined, ''],
  ])('[messages/one-text-block] %j is %j', (content, expected) => {
    expect(one({ role: 'user', content })).toEqual({ role: 'user', content: expected });
  });

  it('[messages/tool-results] splits results from the rest', () => {
    const content = [
      { type: 'text', text: 'and now', ...mark },
      { type: 'tool_result', tool_use_id: 't1', content: 'r1', is_error: false, ...mark },
      {
        tool_use_id: 't2',
        type: 'tool_result',
        is_error: true,
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 't3' },
    ];
    expect(request.messages([{ role: 'user', content }])).toEqual([
      { role: 'tool', toolCallId: 't1', content: 'r1' },
      {
        role: 'tool',
        toolCallId: 't2',
        content: [{ type: 'image', url: 'data:image/png;base64,AA==' }],
        isError: true,
      },
      { role: 'tool', toolCallId: 't3', content: '' },
      { role: 'user', content: 'and now' },
    ]);
  });

  it('[messages/cache-control] does not count, wherever it sits', () => {
    const redacted = { type: 'redacted_thinking', data: 'R' };
    const use = { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } };
    expect(
      reply({ ...redacted, ...mark }, { type: 'text', text: 'a', ...mark }, { ...use, ...mark }),
    ).toEqual(reply(redacted, { type: 'text', text: 'a' }, use));
  });

  it('[messages/assistant] reads every block', () => {
    const thinking = { type: 'thinking', thinking: 'one', signature: 'S1' };
    const omitted = { type: 'thinking', thinking: '', signature: 'S2' };
    const unsigned = { type: 'thinking', thinking: 'two' };
    const redacted = { type: 'redacted_thinking', data: 'R' };
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 'x' } };
    const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
    const use = { type: 'tool_use', id: 't', name: 'f', input: { b: 1, a: [] } };
    expect(
      reply(
        thinking,
        omitted,
        unsigned,
        redacted,
        search,
        result,
        { type: 'text', text: 'a' },
        use,
      ),
    ).toEqual({
      role: 'assistant',
      content: 'a',
      reasoning: 'one\ntwo',
      toolCalls: [{ id: 't', name: 'f', arguments: '{"b":1,"a":[]}' }],
      providerState: [thinking, omitted, redacted, search, result],
    });
    expect(one({ role: 'assistant', content: 'plain' })).toEqual({
      role: 'assistant',
      content: 'plain',
    });
  });

  it('[messages/split-reply] joins adjacent assistant items', () => {
    const parts = [
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    ];
    expect(request.opens(parts[1], parts[0])).toBe(false);
    expect(request.messages(parts)).toEqual([
      reply({ type: 'text', text: 'a' }, { type: 'tool_use', id: 't', name: 'f', input: {} }),
    ]);
  });

  it('[messages/split-reply] keeps a paused reply and its continuation apart', () => {
    const paused = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      ],
    };
    const next = { role: 'assistant', content: [{ type: 'text', text: 'b' }] };
    expect(request.opens(next, paused)).toBe(true);
    expect(request.messages([paused, next])).toHaveLength(2);
  });
});

describe('the top level', () => {
  it.each([
    ['You help.', 'You help.'],
    [[{ type: 'text', text: 'You help.', ...mark }], 'You help.'],
    [
      [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1; cc_entrypoint=cli;' },
        { type: 'text', text: 'You help.' },
      ],
      'You help.',
    ],
    ['x-anthropic-billing-header: cc_version=2.1;\nYou help.', 'You help.'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
  ])('[messages/system] %j', (system, content) => {
    expect(request.preamble({ system })).toEqual([{ role: 'system', content }]);
  });

  it('[messages/system] may be missing', () => {
    expect(request.preamble({})).toEqual([]);
    expect(request.preamble({ system: [] })).toEqual([]);
  });

  it('[messages/tools] reads custom and typed tools', () => {
    const input_schema = { type: 'object' };
    const bash = { type: 'bash_20250124', name: 'bash' };
    const deferred = { name: 'g', input_schema, defer_loading: true };
    const top = {
      tools: [
        { type: 'custom', name: 'f', description: 'F', input_schema, ...mark },
        bash,
        { ...deferred, ...mark },
      ],
    };
    expect(request.tools(top)).toEqual([
      { name: 'f', description: 'F', parameters: input_schema },
      { name: 'bash', kind: 'bash_20250124', native: bash },
      { name: 'g', parameters: input_schema, native: deferred },
    ]);
  });
});
