import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/limits.ts';
import { instantClock, readUntil, readerOf, rig, until, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { done, eventsOf, plain, streamed } from './scripted-provider.ts';
import type { Answerer } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig({ clock: instantClock(), ...options[0] }, options[1]);
  return open;
}

const asked = userTurn('hi');
const said = (text: string): string => `data: {"text":"${text}"}\n\n`;

/** A body without end; `gone` once the reader has closed it. */
function endless(status: number): { readonly answerer: Answerer; isGone: boolean } {
  const body = {
    isGone: false,
    answerer: (response: Parameters<Answerer>[0]): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(more));
      };
      response.on('close', () => (body.isGone = true));
      response.write('{"error":"all is lost');
      more();
    },
  };
  return body;
}

describe('[wire/malformed] an event of a stream that is no JSON', () => {
  test('passes as it came; the call failed, its text so far is kept', async () => {
    const { provider, trace, post } = await start();
    const text = `${said('so far')}data: {"te\n\n${said(' and on')}data: {"finish":"stop"}\n\n${done}`;
    provider.script(streamed(text));
    expect(await (await post({ ...asked, stream: true })).text()).toBe(text);
    expect(trace.calls).toMatchObject([
      { node: null, status: 200, partial: 'so far and on', error: { code: 'malformed' } },
    ]);
    expect(trace.graph.nodes).toEqual([]);
  });

  test('is not waited for: what follows it passes while the stream goes on', async () => {
    const { provider, trace, post } = await start();
    let finish = (): void => undefined;
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(said('one'));
      response.write('data: no JSON\n\n');
      response.write(said('two'));
      finish = () => void response.end(done);
    });
    const reader = readerOf(await post({ ...asked, stream: true }));
    await readUntil(reader, 'two');
    expect(trace.calls).toEqual([]);
    finish();
    expect(await readUntil(reader, 'DONE')).toContain(done);
    await until(() => trace.calls.length > 0);
    expect(trace.calls[0]?.error?.code).toBe('malformed');
  });

  test('as the first one is told as it came and not tried again', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed(`data: <html>\n\n${done}`), streamed(eventsOf('good')));
    expect(await (await post({ ...asked, stream: true })).text()).toBe(`data: <html>\n\n${done}`);
    expect(trace.calls.map(({ error }) => error?.code)).toEqual(['malformed']);
  });

  test('at the end of a stream that ends within it was cut', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed(`${said('so far')}data: {"te`));
    await expect((await post({ ...asked, stream: true })).text()).rejects.toThrow('terminated');
    expect(trace.calls).toMatchObject([{ partial: 'so far', error: { code: 'cut' } }]);
  });
});

describe('[wire/malformed] a reply to a call that is not streamed', () => {
  test('that comes as a stream is malformed, and the agent is told', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed(eventsOf('one two')));
    const response = await post(asked);
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { error: { code: 'malformed' } },
    ]);
    expect(trace.calls).toMatchObject([{ node: null, status: 200, error: { code: 'malformed' } }]);
    expect(provider.received).toHaveLength(1);
  });

  test('that comes as a stream without end is given up at once', async () => {
    const { provider, trace, post } = await start();
    let isGone = false;
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(said('one'));
      response.on('close', () => (isGone = true));
    });
    expect((await post(asked)).status).toBe(502);
    await until(() => isGone);
    expect(trace.calls.map(({ error }) => error?.code)).toEqual(['malformed']);
  });

  test('that is longer than the limit is malformed', async () => {
    const { provider, trace, post } = await start({ limits: { bodyBytes: 1000 } });
    provider.script(plain({ text: 'x'.repeat(2000), finish: 'stop' }));
    expect((await post(asked)).status).toBe(502);
    expect(trace.calls).toMatchObject([{ node: null, error: { code: 'malformed' } }]);
  });
});

describe('[wire/errors-relayed] the body of an error', () => {
  test('without end is given up after its bound; status and start are told', async () => {
    const { provider, trace, post } = await start({ limits: { retries: 0 } });
    const body = endless(500);
    provider.script(body.answerer);
    const response = await post(asked);
    expect(response.status).toBe(500);
    expect((await response.text()).length).toBeLessThan(4096);
    await until(() => body.isGone);
    expect(trace.calls).toMatchObject([{ status: 500, error: { code: 'provider' } }]);
  });

  test('up to the bound goes through whole', async () => {
    const { provider, post } = await start();
    const detail = 'x'.repeat(defaultLimits.errorBytes - 100);
    provider.script(plain({ detail }, 400));
    expect(await (await post(asked)).json()).toEqual({ detail });
  });
});

describe('[wire/secret] the provider’s key in a reply that is no error', () => {
  test('is masked in a stream, wherever it is cut, and delays nothing', async () => {
    const { provider, trace, post } = await start();
    let next = (): void => undefined;
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-echo': 'provider-key' });
      response.write('data: {"text":"it is provider-');
      next = () => {
        response.write('key, I think"}\n\n');
        next = () => void response.end(`data: {"finish":"stop"}\n\n${done}`);
      };
    });
    const pending = post({ ...asked, stream: true });
    await until(() => provider.received.length > 0);
    next();
    const response = await pending;
    const reader = readerOf(response);
    expect(await readUntil(reader, '\n\n')).toBe(said('it is ***, I think'));
    next();
    await readUntil(reader, 'DONE');
    expect(response.headers.get('x-echo')).toBe('***');
    expect(trace.lastReply).toBe('it is ***, I think');
  });

  test('is masked in one piece, whose length stays true', async () => {
    const { provider, trace, post } = await start();
    provider.script(plain({ text: 'provider-key provider-key', finish: 'stop' }));
    const response = await post(asked);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ text: '*** ***' });
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(trace.lastReply).toBe('*** ***');
  });
});

describe('[wire/malformed] a reply that is not packed as its head says', () => {
  const whole = JSON.stringify({ text: 'hello' });
  test.each([
    ['gzip', Buffer.from(whole)],
    ['gzip', gzipSync(whole).subarray(0, -12)],
    ['br', Buffer.from(whole)],
    ['rot13', Buffer.from(whole)],
  ])('%s: a failed call, and the agent can read why', async (encoding, body) => {
    const { provider, trace, post } = await start();
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(body);
    });
    const response = await post(asked);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).toContain('cannot be unpacked');
    expect(trace.calls).toMatchObject([{ node: null, error: { code: 'malformed' } }]);
    expect(trace.graph.nodes).toEqual([]);
  });
});
