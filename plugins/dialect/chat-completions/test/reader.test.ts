import { describe, expect, it } from 'vitest';
import { calls, chunk, readPlain, readStream } from './wire.ts';

const done = '[DONE]';
const usage = {
  prompt_tokens: 10,
  completion_tokens: 3,
  prompt_tokens_details: { cached_tokens: 4 },
};

describe('tool calls in a stream', () => {
  it('[chat/assembly] joins interleaved fragments by index, exactly', () => {
    const read = readStream([
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      calls({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{ ' } }),
      calls({ index: 0, function: { arguments: '{"x":' } }),
      calls(
        { index: 1, function: { arguments: '}' } },
        { index: 0, function: { arguments: ' 1}' } },
      ),
      chunk({}, 'tool_calls'),
      done,
    ]);
    expect(read.message?.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: '{"x": 1}' },
      { id: 'b', name: 'g', arguments: '{ }' },
    ]);
    expect(read.finish).toBe('tool_calls');
  });

  it('[chat/no-index] joins by id, and by order without one', () => {
    const read = readStream([
      calls({ id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      calls({ function: { arguments: ':1}' } }),
      calls({ id: 'b', function: { name: 'f', arguments: '{"y"' } }),
      calls({ id: 'b', function: { arguments: ':2}' } }),
      done,
    ]);
    expect(read.message?.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'f', arguments: '{"y":2}' },
    ]);
  });

  it('[chat/repeated-id] sets the name and keeps the first id', () => {
    const read = readStream([
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '}' } }),
      calls({ index: 0, id: '', function: { name: null, arguments: '' } }),
      done,
    ]);
    expect(read.message?.toolCalls).toEqual([{ id: 'a', name: 'f', arguments: '{}' }]);
  });

  it('[chat/whole-calls] tells whole calls under one index apart', () => {
    const read = readStream([
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
      calls({ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":2}' } }),
      chunk({}, 'stop'),
      done,
    ]);
    expect(read.message?.toolCalls?.map(({ id, arguments: text }) => [id, text])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"x":2}'],
    ]);
  });

  it('[chat/assembly] reads custom tools and the legacy call', () => {
    const custom = readStream([
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: 'fr' } }),
      calls({ index: 0, custom: { input: 'ee' } }),
      done,
    ]);
    expect(custom.message?.toolCalls).toEqual([
      { id: 'a', name: 'f', arguments: 'free', kind: 'custom' },
    ]);
    const legacy = readStream([
      chunk({ function_call: { name: 'f', arguments: '{' } }),
      chunk({ function_call: { arguments: '}' } }, 'function_call'),
      done,
    ]);
    expect(legacy).toMatchObject({
      finish: 'tool_calls',
      message: { toolCalls: [{ name: 'f', arguments: '{}' }] },
    });
  });

  it('[chat/assembly] tells arguments only after the name of their call', () => {
    const read = readStream([
      calls({ index: 0, id: 'a', function: { arguments: '{' } }),
      calls({ index: 0, function: { name: 'f', arguments: '}' } }),
      done,
    ]);
    expect(read.deltas).toEqual([
      { type: 'call', index: 0, id: 'a', name: 'f' },
      { type: 'arguments', index: 0, text: '{}' },
    ]);
  });
});

describe('a stream', () => {
  it('[chat/null-deltas] adds nothing for nulls and unknown fields', () => {
    const read = readStream([
      chunk({ role: 'assistant', content: null }),
      chunk({
        content: '',
        refusal: null,
        tool_calls: [],
        reasoning_content: null,
        obfuscation: 'xx',
      }),
      chunk({ content: 'a' }),
      { object: 'vendor.event', anything: [1] },
      chunk({ content: 'b' }, 'stop'),
      done,
    ]);
    expect(read.message).toEqual({ role: 'assistant', content: 'ab' });
  });

  it('[chat/reasoning-precedence] does not read one thought twice', () => {
    const both = (text: string) =>
      chunk({ reasoning: text, reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] });
    const read = readStream([both('a'), both('b'), chunk({ content: 'x' }, 'stop'), done]);
    expect(read.message).toEqual({
      role: 'assistant',
      content: 'x',
      reasoning: 'ab',
      providerState: [
        { type: 'reasoning', field: 'reasoning' },
        { type: 'reasoning.text', text: 'ab', index: 0 },
      ],
    });
  });

  it.each([
    ['on a chunk of its own', [chunk({ content: 'a' }, 'stop'), { choices: [], usage }]],
    ['on the last choice', [{ ...(chunk({ content: 'a' }, 'stop') as object), usage }]],
    [
      'on every chunk',
      [
        {
          ...(chunk({ content: 'a' }) as object),
          usage: { prompt_tokens: 10, completion_tokens: 1 },
        },
        { ...(chunk({}, 'stop') as object), usage },
      ],
    ],
    [
      'before null',
      [
        { ...(chunk({ content: 'a' }) as object), usage },
        { ...(chunk({}, 'stop') as object), usage: null },
      ],
    ],
    [
      'in the choice',
      [{ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop', usage }] }],
    ],
    ['under x_groq', [{ ...(chunk({ content: 'a' }, 'stop') as object), x_groq: { usage } }]],
  ])('[chat/usage-anywhere] reads usage %s', (_, chunks) => {
    expect(readStream([...chunks, done]).usage).toEqual({
      inputTokens: 10,
      outputTokens: 3,
      cachedInputTokens: 4,
    });
  });

  it('[chat/usage-chunk] drops what only we asked for', () => {
    const data = [chunk({ content: 'a' }, 'stop'), { choices: [], usage }, done];
    const edits = [{ key: 'stream_options', value: { include_usage: true } }];
    expect(readStream(data, { edits }).events.map(({ drop }) => drop)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(readStream(data, { edits }).usage?.inputTokens).toBe(10);
    expect(readStream(data).events.map(({ drop }) => drop)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const riding = [{ ...(chunk({ content: 'a' }, 'stop') as object), usage }, done];
    expect(readStream(riding, { edits }).events.map(({ drop }) => drop)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('[chat/no-finish-reason] is whole after [DONE] or after a reason', () => {
    expect(readStream([chunk({ content: 'a' }), done])).toMatchObject({
      whole: true,
      finish: 'stop',
      rawFinish: null,
    });
    const call = calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } });
    expect(readStream([call, done])).toMatchObject({ whole: true, finish: 'tool_calls' });
    expect(readStream([chunk({ content: 'a' }, 'length')])).toMatchObject({
      whole: true,
      finish: 'length',
    });
  });

  it('[chat/no-finish-reason] tells its phases', () => {
    const read = readStream([
      chunk({ content: 'a' }),
      chunk({}, 'stop'),
      { choices: [], usage },
      done,
    ]);
    expect(read.events.map(({ phase }) => phase)).toEqual(['more', 'finished', 'more', 'terminal']);
  });

  it('[chat/cut] is not whole when it just ends', () => {
    expect(readStream([chunk({ content: 'a' })])).toMatchObject({
      whole: false,
      finish: null,
      message: { content: 'a' },
    });
    expect(readStream([])).toMatchObject({ whole: false, message: null });
  });

  it('[chat/error-chunk] ends with an error in the stream', () => {
    const read = readStream([
      chunk({ content: 'a' }),
      { error: { message: 'slow down', code: 429 } },
    ]);
    expect(read.events.at(-1)).toEqual({ phase: 'terminal', error: read.error });
    expect(read).toMatchObject({
      whole: false,
      error: { status: 429, code: 'rate_limit', message: 'slow down' },
      message: { content: 'a' },
    });
    const text = readStream([{ error: 'broken' }]);
    expect(text.error).toMatchObject({ code: 'provider', message: 'broken' });
  });

  it('[chat/one-choice] reads the first choice of several', () => {
    const choice = (index: number, content: string) => ({
      choices: [{ index, delta: { content }, finish_reason: 'stop' }],
    });
    expect(readStream([choice(1, 'b'), choice(0, 'a'), done]).message?.content).toBe('a');
  });
});

describe('finish and usage', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['eos', 'stop'],
    ['something_new', 'stop'],
  ])('[chat/finish] %s is %s', (raw, finish) => {
    expect(readStream([chunk({ content: 'a' }, raw), done])).toMatchObject({
      finish,
      rawFinish: raw,
    });
  });

  it('[chat/finish] prefers calls to stop', () => {
    const call = calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } });
    expect(readStream([call, chunk({}, 'stop'), done])).toMatchObject({
      finish: 'tool_calls',
      rawFinish: 'stop',
    });
  });

  it.each([
    [
      {
        ...usage,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
        cost: 0.5,
      },
      {
        inputTokens: 10,
        outputTokens: 3,
        cachedInputTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 1,
        cost: 0.5,
      },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 3, prompt_cache_hit_tokens: 6 },
      { inputTokens: 10, outputTokens: 3, cachedInputTokens: 6 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: null, reasoning_tokens: 0 },
      { inputTokens: 10, outputTokens: 3, reasoningTokens: 0 },
    ],
    [{}, null],
  ])('[chat/usage] %j', (given, expected) => {
    expect(readPlain({ choices: [{ message: { content: 'a' } }], usage: given }).usage).toEqual(
      expected,
    );
  });
});

describe('a reply in one piece', () => {
  const toolCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{ }' } };

  it('[chat/plain] reads like its stream', () => {
    const message = {
      role: 'assistant',
      content: 'x',
      reasoning_content: 'r',
      tool_calls: [toolCall],
      refusal: 'no',
    };
    const plain = readPlain({
      id: 'chatcmpl-1',
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    });
    const streamed = readStream([
      chunk({ reasoning_content: 'r' }),
      chunk({ content: 'x', refusal: 'no' }),
      calls({ index: 0, ...toolCall }),
      chunk({}, 'tool_calls'),
      { choices: [], usage },
      done,
    ]);
    const { events: _, deltas: __, ...reply } = plain;
    expect(streamed).toMatchObject(reply);
  });

  it.each([['<html>'], ['{"choices":[]}'], ['{"choices":[{"text":"legacy"}]}'], ['[1]'], ['']])(
    '[chat/malformed] %s',
    (body) => {
      expect(readPlain(body)).toMatchObject({
        message: null,
        error: { code: 'malformed', status: 200 },
      });
    },
  );

  it('[chat/malformed] an event that is no JSON, though the rest is whole', () => {
    const read = readStream([chunk({ content: 'a' }), '{"choi', chunk({}, 'stop'), done]);
    expect(read).toMatchObject({ whole: false, error: { code: 'malformed', status: 200 } });
    expect(read.error?.message).toContain('choi');
    expect(readStream([chunk({ content: 'a' }, 'stop'), '', ' ', done]).error).toBeNull();
  });

  it('[chat/malformed] a stream without a choice', () => {
    expect(readStream([{ choices: [] }, done]).error?.code).toBe('malformed');
  });
});
