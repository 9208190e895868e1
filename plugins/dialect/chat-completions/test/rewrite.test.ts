import { describe, expect, it } from 'vitest';
import chat from '../src/index.ts';

const { request } = chat;
const mark = { cache_control: { type: 'ephemeral' } };

describe('rewrite', () => {
  it('[chat/rewrite] keeps marks, image details and unknown fields', () => {
    const image = {
      type: 'image_url',
      image_url: { url: 'https://host/a.png', detail: 'high' },
      ...mark,
    };
    const item = {
      role: 'user',
      name: 'ann',
      content: [{ type: 'text', text: 'a', ...mark }, image],
    };
    const message = {
      role: 'user',
      content: [
        { type: 'text', text: 'b' },
        { type: 'image', url: 'https://host/a.png' },
      ],
    } as const;
    expect(request.rewrite([item], 0, message)).toEqual([
      {
        item: 0,
        value: { role: 'user', name: 'ann', content: [{ type: 'text', text: 'b' }, image] },
      },
    ]);
  });

  it('[chat/rewrite] writes a string into a marked part, and keeps the developer role', () => {
    const item = { role: 'developer', content: [{ type: 'text', text: 'a', ...mark }] };
    expect(request.rewrite([item], 0, { role: 'system', content: 'b' })).toEqual([
      { item: 0, value: { role: 'developer', content: [{ type: 'text', text: 'b', ...mark }] } },
    ]);
  });

  it('[chat/rewrite] writes a tool result under its id', () => {
    const item = { content: 'secret', tool_call_id: 'c1', role: 'tool' };
    expect(request.rewrite([item], 0, { role: 'tool', toolCallId: 'c1', content: 'gone' })).toEqual(
      [{ item: 0, value: { content: 'gone', tool_call_id: 'c1', role: 'tool' } }],
    );
  });

  it('[chat/rewrite] changes only the fields of a reply that differ, and joins a split one', () => {
    const tool_calls = [
      { id: '1', type: 'function', function: { name: 'f', arguments: '{}' }, vendor: 1 },
    ];
    const item = { role: 'assistant', content: 'a', tool_calls, name: 'x' };
    const [said] = request.messages([item]);
    if (said?.role !== 'assistant') throw new Error('an assistant message was expected');
    expect(request.rewrite([item], 0, { ...said, content: 'b' })).toEqual([
      { item: 0, value: { role: 'assistant', content: 'b', tool_calls, name: 'x' } },
    ]);
    const split = [
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    expect(request.rewrite(split, 0, { role: 'assistant', content: 'c' })).toEqual([
      { item: 0, value: { role: 'assistant', content: 'c' } },
      { item: 1, value: undefined },
    ]);
  });
});
