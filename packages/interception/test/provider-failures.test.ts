import { afterEach, describe, expect, test } from 'vitest';
import { instantClock, readUntil, readerOf, rig, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain, streamed } from './scripted-provider.ts';
import type { Answerer } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

const good = plain({ text: 'hello', finish: 'stop' });
const asked = userTurn('hi');
const reset: Answerer = (response) => void response.socket?.resetAndDestroy();
const errorEvent = 'data: {"error":{"status":529,"code":"overloaded","message":"busy"}}\n\n';

describe('[wire/provider-retry] before the first byte', () => {
  test.each([
    ['429', plain({}, 429)],
    ['500', plain({}, 500)],
    ['529', plain({}, 529)],
    ['a reset', reset],
    [
      'an error body with 200',
      plain({ error: { status: 429, code: 'rate_limit', message: 'slow' } }),
    ],
  ])('%s is tried again, each attempt a call', async (_name, failure) => {
    const clock = instantClock();
    const { provider, trace, post } = await start({ clock });
    provider.script(failure, good);
    expect((await post(asked)).status).toBe(200);
    expect(trace.calls.map(({ attempt, error }) => [attempt, error === null])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(trace.graph.nodes).toHaveLength(2);
  });

  test('an error as the first event is tried again', async () => {
    const { provider, trace, post } = await start({ clock: instantClock(), includeUsage: false });
    provider.script(streamed(errorEvent), streamed(eventsOf('one')));
    expect(await (await post({ ...asked, stream: true })).text()).toBe(eventsOf('one'));
    expect(trace.calls.map(({ error }) => error?.code ?? null)).toEqual(['overloaded', null]);
  });

  test('Retry-After is waited for, in all its spellings', async () => {
    const clock = instantClock();
    const { provider, post } = await start({ clock });
    provider.script(
      plain({}, 429, { 'retry-after': '7' }),
      plain({}, 429, { 'retry-after-ms': '250' }),
      plain({}, 429, { 'retry-after': new Date(clock.now() + 30_000).toUTCString() }),
      good,
    );
    await post(asked);
    expect(clock.slept.slice(0, 2)).toEqual([7000, 250]);
    expect(clock.slept[2]).toBeGreaterThan(20_000);
  });

  test('[wire/errors-relayed] when they are used up, status, headers and body go through', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    provider.script(
      plain({ detail: 'come back later' }, 429, { 'retry-after': '1', 'x-request-id': 'q1' }),
    );
    const response = await post(asked);
    expect(response.status).toBe(429);
    expect([response.headers.get('retry-after'), response.headers.get('x-request-id')]).toEqual([
      '1',
      'q1',
    ]);
    expect(await response.json()).toEqual({ detail: 'come back later' });
    expect(trace.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(trace.graph.nodes).toEqual([]);
  });

  test('a pause longer than the limit is told to the agent at once', async () => {
    const clock = instantClock();
    const { provider, trace, post } = await start({ clock });
    provider.script(plain({}, 429, { 'retry-after': '3600' }));
    expect((await post(asked)).status).toBe(429);
    expect([trace.calls.length, clock.slept]).toEqual([1, []]);
    expect(trace.calls[0]?.error?.retryAfterMs).toBe(3_600_000);
  });

  test.each([400, 401, 403, 404])(
    '[wire/errors-relayed] %i is relayed and not tried again',
    async (status) => {
      const { provider, trace, post } = await start({ clock: instantClock() });
      provider.script(plain({ detail: 'no' }, status));
      const response = await post(asked);
      expect([response.status, await response.json()]).toEqual([status, { detail: 'no' }]);
      expect(trace.calls).toMatchObject([{ status, error: { status }, node: null }]);
    },
  );

  test('a provider that says so with x-should-retry is obeyed', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    provider.script(plain({}, 500, { 'x-should-retry': 'false' }));
    expect((await post(asked)).status).toBe(500);
    expect(trace.calls).toHaveLength(1);
  });

  test('a provider that cannot be reached is a 502 in the dialect’s shape', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    await provider.close();
    const response = await post(asked);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'unreachable' } });
    expect(trace.calls.map(({ status, error }) => [status, error?.code])).toEqual(
      Array.from({ length: 4 }, () => [null, 'unreachable']),
    );
  });

  test('a plain reply that breaks off has reached nobody and is tried again', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"text"');
      setTimeout(() => response.destroy(), 5);
    }, good);
    expect(await (await post(asked)).json()).toMatchObject({ text: 'hello' });
    expect(trace.calls.map(({ error }) => error?.code ?? null)).toEqual(['cut', null]);
  });
});

describe('after the first byte', () => {
  test('[wire/cut-stream] a broken stream is cut: no turn, no end; the partial text stays on the call', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"text":"so far"}\n\n');
      response.write('data: {"te');
      setTimeout(() => response.destroy(), 20);
    });
    const reader = readerOf(await post({ ...asked, stream: true }));
    expect(await readUntil(reader, '\n\ndata: {"te')).toBe('data: {"text":"so far"}\n\ndata: {"te');
    await expect(reader.read()).rejects.toThrow('terminated');
    expect(trace.calls).toMatchObject([{ node: null, partial: 'so far', error: { code: 'cut' } }]);
    expect(trace.graph.nodes).toEqual([]);
    expect(provider.received).toHaveLength(1);
  });

  test('[wire/cut-stream] a stream that ends cleanly without its terminal event is cut too', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed('data: {"text":"so far"}\n\n'));
    const response = await post({ ...asked, stream: true });
    await expect(response.text()).rejects.toThrow('terminated');
    expect(trace.calls).toMatchObject([{ partial: 'so far', error: { code: 'cut' } }]);
  });

  test('the partial text is bounded', async () => {
    const { provider, trace, post } = await start();
    provider.script(streamed(`data: ${JSON.stringify({ text: 'é'.repeat(50_000) })}\n\n`));
    await expect((await post({ ...asked, stream: true })).text()).rejects.toThrow('terminated');
    expect(Buffer.byteLength(trace.calls[0]?.partial ?? '')).toBe(16 * 1024);
  });

  test('a finish reason without the terminal event is a whole reply', async () => {
    const { provider, trace, post } = await start();
    const text = 'data: {"text":"all"}\n\ndata: {"finish":"stop"}\n\n';
    provider.script(streamed(text));
    expect(await (await post({ ...asked, stream: true })).text()).toBe(text);
    expect(trace.lastReply).toBe('all');
  });

  test('an error event goes through as it came and ends the reply cleanly', async () => {
    const { provider, trace, post } = await start({ clock: instantClock() });
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"text":"so far"}\n\n');
      setTimeout(() => response.end(errorEvent), 20);
    });
    const reader = readerOf(await post({ ...asked, stream: true }));
    await readUntil(reader, 'so far');
    expect(await readUntil(reader, 'busy')).toBe(errorEvent);
    expect((await reader.read()).done).toBe(true);
    expect(trace.calls).toMatchObject([
      { node: null, partial: 'so far', error: { code: 'overloaded' } },
    ]);
  });
});
