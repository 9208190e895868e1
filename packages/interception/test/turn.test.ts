import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Client } from '@vf/core';
import { afterEach, describe, expect, test } from 'vitest';
import { rig, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain, streamed } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

const hello = {
  id: 'r_1',
  model: 'real-model',
  text: 'hello',
  finish: 'stop',
  usage: { inputTokens: 3, outputTokens: 2 },
};

describe('a plain turn', () => {
  test('is passed on, answered and recorded', async () => {
    const { provider, trace, post } = await start();
    provider.script(plain(hello));
    expect(await (await post(userTurn('hi'))).json()).toMatchObject({ text: 'hello' });
    expect(trace.messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
    expect(trace.calls).toMatchObject([
      {
        node: 1,
        dialect: 'wire',
        endpoint: '/v1/turns',
        model: 'real-model',
        requestedModel: 'asked-model',
        finish: 'stop',
        rawFinish: 'stop',
        status: 200,
        attempt: 1,
        error: null,
        responseId: 'r_1',
        usage: { inputTokens: 3, outputTokens: 2 },
        cost: null,
      },
    ]);
    const [call] = trace.calls;
    expect(call?.start).toBeLessThanOrEqual(call?.firstByte ?? 0);
    expect(call?.firstByte).toBeLessThanOrEqual(call?.end ?? 0);
  });

  test('is priced by the table when the provider names no figure', async () => {
    const { provider, trace, post } = await start(
      {},
      { price: { input: 2, output: 10, cached: 1 } },
    );
    provider.script(
      plain({
        ...hello,
        usage: { inputTokens: 3_000_000, outputTokens: 100_000, cachedInputTokens: 1_000_000 },
      }),
      plain({ ...hello, usage: { inputTokens: 3_000_000, outputTokens: 100_000, cost: 0.5 } }),
    );
    await post(userTurn('a'));
    await post(userTurn('b'));
    expect(trace.calls.map(({ cost }) => cost)).toEqual([6, 0.5]);
  });

  test('[wire/bytes-request] goes upstream with the bytes it came with', async () => {
    const { provider, post } = await start();
    provider.script(plain(hello));
    const odd =
      '{ "messages" : [ {"role":"user","content":"\\u00e9 \\/ 1.0"} ],\n"big":12345678901234567890, "model":"m" }';
    await post(odd);
    expect(provider.received[0]?.body).toBe(odd);
  });

  test('[wire/bytes-request] a body of many chunks arrives whole, also with an edit in it', async () => {
    const { provider, post } = await start({}, { model: 'run-model' });
    provider.script(plain(hello));
    const long = userTurn('é'.repeat(500_000));
    await post(long);
    expect(provider.received[0]?.body).toBe(JSON.stringify({ ...long, model: 'run-model' }));
  });

  test('[wire/override] model and sampling of the run win and are recorded', async () => {
    const { provider, trace, post } = await start(
      {},
      { model: 'run-model', sampling: { temperature: 0.5 } },
    );
    provider.script(plain({ ...hello, model: undefined }));
    await post({ ...userTurn('hi'), temperature: 1 });
    expect(JSON.parse(provider.received[0]?.body ?? '')).toMatchObject({
      model: 'run-model',
      temperature: 0.5,
    });
    expect(trace.calls).toMatchObject([
      {
        requestedModel: 'asked-model',
        model: 'run-model',
        settings: { model: 'run-model', temperature: 0.5 },
      },
    ]);
  });

  test('a conversation stays one branch, a side request becomes another [wire/side-requests]', async () => {
    const { provider, trace, post } = await start();
    provider.script(plain(hello));
    await post(userTurn('hi'));
    await post({ ...userTurn('name this talk'), tools: ['none'] });
    await post(userTurn('hi', 'hello', 'and now?'));
    expect(trace.branches.map((branch) => branch.messages.map(({ content }) => content))).toEqual([
      ['name this talk', 'hello'],
      ['hi', 'hello', 'and now?', 'hello'],
    ]);
  });

  test('[wire/unparsed] a body that does not parse is relayed and recorded without a node', async () => {
    const { provider, trace, post } = await start();
    provider.script(plain(hello));
    expect((await post('{"messages": [')).status).toBe(200);
    expect(provider.received[0]?.body).toBe('{"messages": [');
    expect(trace.calls).toMatchObject([{ node: null, error: null }]);
    expect(trace.graph.nodes).toEqual([]);
  });

  test('[wire/continuation] an earlier reply is continued by its id, an unknown one is named', async () => {
    const { provider, trace, post } = await start();
    provider.script(plain(hello));
    await post(userTurn('hi'));
    await post({ ...userTurn('more'), previous: 'r_1' });
    await post({ ...userTurn('else'), previous: 'r_9' });
    expect(JSON.parse(provider.received[1]?.body ?? '')).toMatchObject({ previous: 'r_1' });
    expect(trace.branches.map((branch) => branch.messages.length)).toEqual([4, 2]);
    expect(trace.calls.map(({ unknown }) => unknown)).toEqual([
      undefined,
      undefined,
      { continues_unknown_reply: 'r_9' },
    ]);
  });

  test('[wire/continuation] the client hears of an earlier reply that is unknown', async () => {
    const heard: (string | undefined)[] = [];
    const client: Client = {
      async send({ unknownReply }) {
        heard.push(unknownReply);
        const head = { status: 200, headers: ['content-type', 'application/json'] };
        const bytes = Buffer.from(JSON.stringify({ text: 'r', finish: 'stop' }));
        return {
          head,
          body: (async function* () {
            yield bytes;
          })(),
        };
      },
    };
    const { post } = await start({}, { client });
    await post({ ...userTurn('more'), previous: 'r_9' });
    await post(userTurn('else'));
    expect(heard).toEqual(['r_9', undefined]);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('[wire/packed-request] a %s body is forwarded unpacked', async (encoding, pack) => {
    const { provider, trace, session } = await start();
    provider.script(plain(hello));
    const text = JSON.stringify(userTurn('hi'));
    await fetch(`${session.endpoint.url}/v1/turns`, {
      method: 'POST',
      headers: { 'x-api-key': session.endpoint.bearer, 'content-encoding': encoding },
      body: new Uint8Array(pack(text)),
    });
    expect(provider.received[0]?.body).toBe(text);
    expect(provider.received[0]?.headers['content-encoding']).toBeUndefined();
    expect(trace.calls).toHaveLength(1);
  });

  test('[wire/packed-reply] a packed reply goes out as it came and is read all the same', async () => {
    const { provider, trace, post } = await start();
    const packed = gzipSync(JSON.stringify(hello));
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(packed);
    });
    const response = await post(userTurn('hi'));
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.json()).toMatchObject({ text: 'hello' });
    expect(trace.lastReply).toBe('hello');
  });

  test('a reply that is no JSON is a failed call and goes through as it came', async () => {
    const { provider, trace, post } = await start();
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"text": "hel');
    });
    expect(await (await post(userTurn('hi'))).text()).toBe('{"text": "hel');
    expect(trace.calls).toMatchObject([{ node: null, status: 200, error: { code: 'malformed' } }]);
    expect(trace.graph.nodes).toEqual([]);
  });
});

describe('a streamed turn', () => {
  test('[wire/bytes-stream] keeps every byte: comments, a byte order mark, odd line ends, unknown events', async () => {
    const { provider, trace, post } = await start({ includeUsage: false });
    const text = `\ufeff: hello\r\n\r\nevent: odd\rdata: {"text":"é "}\r\rid: 7\n\n${eventsOf('two three')}`;
    provider.script(streamed(text));
    const response = await post({ ...userTurn('hi'), stream: true });
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(text);
    expect(trace.lastReply).toBe('é two three');
    expect(trace.calls).toMatchObject([
      { finish: 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
    ]);
  });

  test('usage is asked for and not shown to an agent that did not ask', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed(eventsOf('one')));
    const text = await (await post({ ...userTurn('hi'), stream: true })).text();
    expect(JSON.parse(provider.received[0]?.body ?? '')).toMatchObject({ usage: true });
    expect(text).toBe(eventsOf('one').replace(/data: \{"usage.*\n\n/, ''));
    expect(trace.calls).toMatchObject([{ usage: { inputTokens: 10 } }]);
    expect(await (await post({ ...userTurn('hi'), stream: true, usage: true })).text()).toBe(
      eventsOf('one'),
    );
  });

  test('[wire/packed-reply] a packed stream is unpacked and loses its label', async () => {
    const { provider, post } = await start({ includeUsage: false });
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(eventsOf('one two')));
    });
    const response = await post({ ...userTurn('hi'), stream: true });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(eventsOf('one two'));
  });

  test('a last event without its blank line counts', async () => {
    const { provider, trace, post } = await start({ includeUsage: false });
    const text = eventsOf('one').trimEnd();
    provider.script(streamed(text));
    expect(await (await post({ ...userTurn('hi'), stream: true })).text()).toBe(text);
    expect(trace.lastReply).toBe('one');
  });
});
