import { describe, expect, it } from 'vitest';
import dialect from '../src/index.ts';

const { request } = dialect;
const head = { status: 200, headers: [] };

/** Deeper than the engine's stack. */
const deepText = '['.repeat(50_000) + ']'.repeat(50_000);
const deep: unknown = JSON.parse(deepText);

describe('JSON nested deeper than the stack', () => {
  it('[chat/lenient] is read as a request', () => {
    const call = {
      id: 'a',
      type: 'tool_use',
      name: 'f',
      input: deep,
      function: { name: 'f', arguments: deep },
    };
    const items = [
      { role: 'user', content: deep },
      { role: 'assistant', content: [call, { type: 'x', deep }], tool_calls: [call] },
      { role: deep, content: deep },
    ];
    expect(request.messages(items)).toHaveLength(3);
    expect(request.rewrite(items, 0, { role: 'user', content: 'short' })).toHaveLength(1);
    const top = {
      model: deep,
      system: deep,
      tools: [{ name: 'f', input_schema: deep }],
      stop: deep,
      temperature: deep,
      thinking: deep,
    };
    expect(request.settings(top, '').model).toBe('');
    expect(request.tools(top)).toHaveLength(1);
    expect(request.preamble(top).length).toBeLessThanOrEqual(1);
    expect(request.edits({ model: 'm' }, top, '')).toEqual([{ key: 'model', value: 'm' }]);
  });

  it('[chat/lenient] is no reason to take a reply for another', () => {
    const said = (text: string) =>
      ({
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'a', name: 'f', arguments: text }],
      }) as const;
    expect(request.restates(said(deepText), said(deepText))).toBe(true);
    expect(request.restates(said(deepText), said(`${deepText} `))).toBe(false);
  });

  it.each([true, false])('[chat/lenient] is read as a reply, streamed: %s', (stream) => {
    const call = `{"type":"tool_use","id":"a","name":"f","input":${deepText},"function":{"name":"f","arguments":${deepText}}}`;
    const data = `{"type":"content_block_start","index":0,"content_block":${call},"content":[${call}],"choices":[{"message":{"content":null,"tool_calls":[${call}]}}]}`;
    const reader = dialect.reader({ stream, deltas: true, head, edits: [] });
    reader.push({ name: null, data });
    expect(reader.end().message?.toolCalls).toHaveLength(1);
  });
});

describe('[chat/malformed] a reply whose text or calls are of another kind', () => {
  const readMessage = (message: unknown) => {
    const reader = dialect.reader({ stream: false, deltas: false, head, edits: [] });
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    reader.push({ name: null, data: JSON.stringify({ id: 'x', choices }) });
    return reader.end();
  };

  it.each([
    { content: 4 },
    { content: { text: '4' } },
    { content: true },
    { content: null, tool_calls: 'bash' },
    { content: null, tool_calls: [null] },
    { content: '4', tool_calls: {} },
  ])('is no reply of a model that said nothing: %j', (message) => {
    expect(readMessage(message)).toMatchObject({ message: null, error: { code: 'malformed' } });
  });

  it.each([{ content: null }, {}, { content: '', tool_calls: null }, { content: [] }])(
    'while one that says nothing is: %j',
    (message) => {
      expect(readMessage(message)).toMatchObject({ message: { content: null }, error: null });
    },
  );
});
