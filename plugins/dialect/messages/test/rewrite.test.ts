import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';

const { request } = dialect;
const mark = { cache_control: { type: 'ephemeral' } };

describe('rewrite', () => {
  const results = {
    role: 'user',
    content: [
      { tool_use_id: 't1', type: 'tool_result', content: 'secret', is_error: false, ...mark },
      {
        tool_use_id: 't2',
        type: 'tool_result',
        content: [{ type: 'text', text: 'other', ...mark }],
      },
      { type: 'text', text: 'and', ...mark },
      { type: 'text', text: 'now' },
    ],
  };

  it('[messages/rewrite] changes one result of several', () => {
    expect(
      request.rewrite([results], 0, { role: 'tool', toolCallId: 't1', content: 'gone' }),
    ).toEqual([
      {
        item: 0,
        value: {
          role: 'user',
          content: [
            { tool_use_id: 't1', type: 'tool_result', ...mark, content: 'gone' },
            ...results.content.slice(1),
          ],
        },
      },
    ]);
    expect(
      request.rewrite([results], 1, {
        role: 'tool',
        toolCallId: 't2',
        content: 'gone',
        isError: true,
      }),
    ).toEqual([
      {
        item: 0,
        value: {
          role: 'user',
          content: [
            results.content[0],
            {
              tool_use_id: 't2',
              type: 'tool_result',
              is_error: true,
              content: [{ type: 'text', text: 'gone', ...mark }],
            },
            ...results.content.slice(2),
          ],
        },
      },
    ]);
  });

  it('[messages/rewrite] changes what the user says beside results', () => {
    const said = {
      role: 'user',
      content: [
        { type: 'text', text: 'and' },
        { type: 'text', text: 'then' },
      ],
    } as const;
    expect(request.rewrite([results], 2, said)).toEqual([
      {
        item: 0,
        value: {
          role: 'user',
          content: [...results.content.slice(0, 3), { type: 'text', text: 'then' }],
        },
      },
    ]);
    const short = { role: 'user', content: 'stop' } as const;
    expect(request.rewrite([results], 2, short)).toEqual([
      {
        item: 0,
        value: {
          role: 'user',
          content: [...results.content.slice(0, 2), { type: 'text', text: 'stop' }],
        },
      },
    ]);
  });

  it('[messages/rewrite] keeps blocks of a reply that say the same', () => {
    const thinking = { type: 'thinking', thinking: 'x', signature: 'S' };
    const use = { type: 'tool_use', id: 't', name: 'f', input: { a: 1 }, ...mark };
    const item = { role: 'assistant', content: [thinking, { type: 'text', text: 'a' }, use] };
    const [said] = request.messages([item]);
    if (said?.role !== 'assistant') throw new Error('an assistant message was expected');
    expect(request.rewrite([item], 0, { ...said, content: 'b' })).toEqual([
      {
        item: 0,
        value: { role: 'assistant', content: [thinking, { type: 'text', text: 'b' }, use] },
      },
    ]);
  });

  it('[messages/rewrite] joins a split reply', () => {
    const split = [
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    expect(request.rewrite(split, 0, { role: 'assistant', content: 'c' })).toEqual([
      { item: 0, value: { role: 'assistant', content: [{ type: 'text', text: 'c' }] } },
      { item: 1, value: undefined },
    ]);
  });
});
