import * as zlib from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  byTurn,
  callTool,
  comment,
  cut,
  deliver,
  event,
  fail,
  failInStream,
  finish,
  hang,
  hangUp,
  instant,
  pause,
  ping,
  say,
  startScriptedModel,
  think,
  usage,
} from '../src/index.ts';
import type { Script, ScriptedModel, ScriptedModelOptions } from '../src/index.ts';
import { dialects, eventsOf, post } from './post.ts';

let model: ScriptedModel;
afterEach(() => model.close());

async function start(script: Script, options: Partial<ScriptedModelOptions> = {}): Promise<string> {
  model = await startScriptedModel({ script, ...options });
  return model.url;
}

const everything: Script = () => [
  think('hm', { signature: 'sig==' }),
  say('Grüße 🙂, a text that is longer than one delta'),
  callTool('bash', '{ "b":1,\n "a":"\\u00e9" }', { id: 'c1' }),
  callTool('bash', { a: 2 }, { id: 'c2' }),
  usage({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 }),
];

describe.each(dialects)('%s', (dialect) => {
  test('says the same streamed and plain', async () => {
    const url = await start(everything);
    const streamed = await (await post(url, dialect)).text();
    const plain = (await (await post(url, dialect, { stream: false })).json()) as object;
    for (const body of [streamed, JSON.stringify(plain)]) {
      expect(body).toContain('"c1"');
      expect(body).toContain('"c2"');
      expect(body).toContain('sig==');
    }
    const deltas = eventsOf(streamed).map(deltaText).join('');
    expect(deltas).toContain('Grüße 🙂, a text that is longer than one delta');
    expect(deltas).toContain('{ "b":1,\n "a":"\\u00e9" }');
    expect(JSON.stringify(plain)).toContain('Grüße 🙂');
  });

  test('splits bytes anywhere, ends lines as told, starts with a mark and packs', async () => {
    const mangled =
      (encoding: 'gzip' | 'br' | 'zstd'): Script =>
      () => [
        say('Grüße 🙂'),
        deliver({ chunkBytes: 1, newline: '\r\n', byteOrderMark: true, encoding }),
      ];
    const url = await start(() => [say('Grüße 🙂'), ping(), comment('hello')]);
    const clean = await (await post(url, dialect)).text();
    expect(clean).toContain(': hello\n\n');
    await model.close();
    for (const encoding of ['gzip', 'br', 'zstd'] as const) {
      const packedUrl = await start(mangled(encoding));
      const response = await post(packedUrl, dialect);
      expect(response.headers.get('content-encoding')).toBe(encoding);
      const text = await response.text();
      expect(eventsOf(text).map(deltaText).join('')).toBe('Grüße 🙂');
      expect(text).toContain('\r\n\r\n');
      await model.close();
    }
  });

  test('fails with its own error shape, with a body as given, and with 200', async () => {
    const url = await start([
      fail(429, { message: 'slow down', retryAfter: 7 }),
      fail(502, { body: '<html>' }),
      fail(200, { message: 'looks fine' }),
    ]);
    const limited = await post(url, dialect);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await limited.json()).toMatchObject({ error: { message: 'slow down' } });
    expect(await (await post(url, dialect)).text()).toBe('<html>');
    const error = await post(url, dialect);
    expect([error.status, await error.json()]).toMatchObject([200, { error: {} }]);
    const over = await post(url, dialect);
    expect([over.status, await over.text()]).toEqual([400, expect.stringContaining('3 replies')]);
  });

  test('breaks off after so many events, with and without an end of the body', async () => {
    const url = await start([
      [say('abc', { pieces: 3 }), cut(2)],
      [say('abc', { pieces: 3 }), cut(-1, 'end')],
      [say('abc'), cut(1, 'reset')],
      [say('abc'), failInStream('overloaded_error')],
    ]);
    await expect((await post(url, dialect)).text()).rejects.toThrow(TypeError);
    const ended = eventsOf(await (await post(url, dialect)).text());
    expect(ended.map(deltaText).join('')).toBe('abc');
    expect(JSON.stringify(ended)).not.toMatch(/response\.completed|message_stop/);
    await expect((await post(url, dialect)).text()).rejects.toThrow(TypeError);
    expect(await (await post(url, dialect)).text()).toContain('overloaded_error');
    expect(model.turns.map((turn) => turn.outcome)).toEqual(['cut', 'cut', 'cut', 'answered']);
  });

  test('cuts a plain reply in its middle', async () => {
    const url = await start(() => [say('abc'), cut(0, 'end')]);
    const text = await (await post(url, dialect, { stream: false })).text();
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  test('answers in a flash with the bytes of an ordinary reply', async () => {
    const reply = [say('abc', { pieces: 64 }), usage(null)];
    const bytes = async (script: Script, stream: boolean): Promise<string> => {
      const url = await start(script);
      const text = await (await post(url, dialect, { stream })).text();
      await model.close();
      return text;
    };
    expect(await bytes(instant(reply), true)).toBe(await bytes(() => reply, true));
    expect(await bytes(instant(reply), false)).toBe(await bytes(() => reply, false));
  });

  test('spells the finish reason and passes unknown ones on', async () => {
    const url = await start([
      [say('a'), finish('length')],
      [say('a'), finish('max_messages')],
    ]);
    const limits = {
      messages: 'max_tokens',
      responses: 'max_output_tokens',
      'chat-completions': 'length',
    };
    expect(await (await post(url, dialect)).text()).toContain(`"${limits[dialect]}"`);
    expect(await (await post(url, dialect)).text()).toContain('"max_messages"');
  });

  test('sends events of the script as they are, malformed too', async () => {
    const url = await start(() => [event('{"broken', 'x'), event({ type: 'new' }), say('a')]);
    const text = await (await post(url, dialect)).text();
    expect(text).toContain('event: x\ndata: {"broken\n\n');
    expect(text).toContain('data: {"type":"new"}\n\n');
  });
});

test('tells the script what came: turn, call, conversation, tools, packed bodies', async () => {
  const url = await start(({ turn, conversationCall }) => say(`${turn} ${conversationCall}`));
  const packed = {
    body: zlib.zstdCompressSync(JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })),
    headers: { 'content-encoding': 'zstd', authorization: 'Bearer test-key' },
  };
  await (await post(url, 'chat-completions', {}, packed)).text();
  const messages = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] },
  ];
  await (
    await post(url, 'messages', { messages, tools: [{ name: 'f', input_schema: {} }] })
  ).text();
  expect(model.turns.map((turn) => turn.call)).toMatchObject([
    { turn: 0, call: 1, conversationCall: 1, stream: false },
    {
      turn: 1,
      call: 2,
      conversationCall: 2,
      tools: [{ name: 'f' }],
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', toolCalls: [{ id: 't', name: 'f', arguments: '{"a":1}' }] },
        { role: 'tool', toolCallId: 't', content: 'r' },
      ],
    },
  ]);
});

test('answers by turn, so that a retry gets the same reply', async () => {
  const url = await start(byTurn([say('first'), say('second')]));
  const history = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'more' },
  ];
  const texts = [];
  for (const fields of [{}, {}, { messages: history }, {}])
    texts.push(
      eventsOf(await (await post(url, 'chat-completions', fields)).text())
        .map(deltaText)
        .join(''),
    );
  expect(texts).toEqual(['first', 'first', 'second', 'first']);
});

test('lists its model, counts tokens, answers probes, refuses the rest', async () => {
  const url = await start([say('a')], { model: 'scripted-x', key: 'right' });
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({
    data: [{ id: 'scripted-x' }],
  });
  expect((await fetch(`${url}/v1/models/other`)).status).toBe(404);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  const count = await fetch(`${url}/v1/messages/count_tokens?beta=true`, {
    method: 'POST',
    body: '{}',
  });
  expect(await count.json()).toMatchObject({ input_tokens: 1 });
  expect((await fetch(`${url}/v1/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect((await post(url, 'messages')).status).toBe(401);
  expect((await post(url, 'messages', {}, { headers: { 'x-api-key': 'right' } })).status).toBe(200);
});

test('holds back, never answers, hangs up, and notices who goes away', async () => {
  const url = await start([hang(), [say('a'), pause(Infinity)], hangUp({ reset: true })]);
  const silent = new AbortController();
  const unanswered = post(url, 'responses', {}, { signal: silent.signal });
  await model.received(1);
  silent.abort();
  await expect(unanswered).rejects.toThrow('aborted');
  const drip = new AbortController();
  const response = await post(url, 'responses', {}, { signal: drip.signal });
  const first = await response.body?.getReader().read();
  expect(first?.done).toBe(false);
  drip.abort();
  expect(await Promise.all(model.turns.map((turn) => turn.over))).toEqual(['gone', 'gone']);
  await expect(post(url, 'responses')).rejects.toThrow(TypeError);
});

test('answers 500 and keeps the error when the script throws; goes on serving', async () => {
  const url = await start(({ call }) => {
    if (call === 1) throw new Error('no idea');
    return say('fine');
  });
  expect((await post(url, 'messages')).status).toBe(500);
  expect(model.faults).toEqual([new Error('no idea')]);
  expect((await post(url, 'messages')).status).toBe(200);
});

test('serves a thousand silent calls at once and closes them', async () => {
  const url = await start(() => hang());
  const calls = Array.from({ length: 1000 }, () =>
    post(url, 'chat-completions').catch(() => 'closed'),
  );
  await model.received(1000);
  await model.close();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['closed']));
});

test('closes with its signal', async () => {
  const stop = new AbortController();
  const url = await start(() => say('a'), { signal: stop.signal });
  stop.abort();
  await model.close();
  await expect(post(url, 'messages')).rejects.toThrow(TypeError);
  await expect(startScriptedModel({ script: [], signal: stop.signal })).rejects.toThrow('aborted');
});

/** Text, reasoning left out, and tool arguments of one event in any dialect. */
function deltaText(data: Record<string, unknown>): string {
  if (typeof data['delta'] === 'string')
    return String(data['type']).includes('reasoning') ? '' : data['delta'];
  const delta = (data['delta'] ?? {}) as { text?: string; partial_json?: string };
  const [choice] = (data['choices'] ?? []) as {
    delta?: { content?: string; tool_calls?: { function?: { arguments?: string } }[] };
  }[];
  return [
    delta.text,
    delta.partial_json,
    choice?.delta?.content,
    choice?.delta?.tool_calls?.[0]?.function?.arguments,
  ].join('');
}
