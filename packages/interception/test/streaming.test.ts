import { afterEach, expect, test } from 'vitest';
import { instantClock, readUntil, readerOf, rig, until, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { done, plain, streamed } from './scripted-provider.ts';
import type { Answerer } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

const asked = { ...userTurn('hi'), stream: true };
const text = 'data: {"text":"one"}\n\n';
const finish = 'data: {"finish":"stop"}\n\n';

/** A stream that goes on when told. */
function stepped(): { answer: Answerer; write(part: string): void; end(): void } {
  let response: Parameters<Answerer>[0] | null = null;
  return {
    answer(opened) {
      opened.writeHead(200, { 'content-type': 'text/event-stream' });
      opened.flushHeaders();
      response = opened;
    },
    write: (part) => void response?.write(part),
    end: () => void response?.end(),
  };
}

test('[wire/live] events are relayed as they come', async () => {
  const { provider, post } = await start();
  const stream = stepped();
  provider.script((response, call) => {
    void stream.answer(response, call);
    stream.write(text);
  });
  const reader = readerOf(await post(asked));
  expect(await readUntil(reader, 'one')).toBe(text);
  stream.write('data: {"text":"two"}\n\n');
  expect(await readUntil(reader, 'two')).toBe('data: {"text":"two"}\n\n');
  stream.write(finish + done);
  stream.end();
  expect(await readUntil(reader, 'DONE')).toBe(finish + done);
});

test('[wire/commit-before-terminal] only the terminal event waits for the record', async () => {
  const recorded = Promise.withResolvers<void>();
  const { provider, trace, post } = await start({}, { onCall: () => recorded.promise });
  provider.script(streamed(text + finish + done));
  const reader = readerOf(await post(asked));
  const before = await readUntil(reader, 'finish');
  expect(before).toBe(text + finish);
  expect(trace.lastReply).toBe('one');
  recorded.resolve();
  expect(await readUntil(reader, 'DONE')).toBe(done);
});

test('a record that fails breaks the reply', async () => {
  const { provider, post } = await start(
    {},
    { onCall: () => Promise.reject(new Error('disk full')) },
  );
  provider.script(streamed(text + finish + done));
  const reader = readerOf(await post(asked));
  await readUntil(reader, 'finish');
  await expect(reader.read()).rejects.toThrow('terminated');
});

test('[wire/early-head] the head waits for the first event, at most its limit; [wire/keep-alive] then comments come between events', async () => {
  const { provider, trace, post } = await start({ limits: { earlyHead: 30, keepAlive: 20 } });
  const stream = stepped();
  provider.script(stream.answer);
  const response = await post(asked);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = readerOf(response);
  expect(await readUntil(reader, ': keep-alive\n: keep-alive\n')).toMatch(/^(: keep-alive\n)+$/);
  stream.write('data: {"te');
  expect(await readUntil(reader, ': keep-alive\n')).not.toContain('data');
  stream.write(`xt":"one"}\n\n${finish}${done}`);
  stream.end();
  expect((await readUntil(reader, 'DONE')).replaceAll(': keep-alive\n', '')).toBe(
    text + finish + done,
  );
  expect(trace.lastReply).toBe('one');
});

test('[wire/early-head] a failure after an early head is the dialect’s error event', async () => {
  const { provider, trace, post } = await start({
    clock: instantClock(),
    limits: { earlyHead: 20 },
  });
  provider.script(async (response, call) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await plain({}, 500)(response, call);
  });
  const response = await post(asked);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('data: {"error":{"status":500');
  expect(trace.calls).toHaveLength(1);
});

test('a head with the status of a failure still goes out within the limit', async () => {
  const { provider, post } = await start({ limits: { earlyHead: 10_000, retries: 0 } });
  provider.script(plain({}, 503));
  expect((await post(asked)).status).toBe(503);
});

test('[wire/client-gone] without its agent a call is given up after the grace', async () => {
  const { provider, trace, post, session } = await start({ limits: { clientGoneGrace: 30 } });
  const stream = stepped();
  provider.script(stream.answer);
  const agent = new AbortController();
  const gone = post(asked, {}, agent.signal).catch(() => 'gone');
  await until(() => provider.received.length === 1);
  stream.write(text);
  agent.abort();
  expect(await gone).toBeTruthy();
  await until(() => session.inFlight === 0);
  expect(trace.calls).toMatchObject([{ node: null, error: { code: 'aborted' }, partial: 'one' }]);
});

test('[wire/client-gone] past its finish reason a reply is read to its end and recorded', async () => {
  const { provider, trace, post, session } = await start({ limits: { clientGoneGrace: 20 } });
  const stream = stepped();
  provider.script(stream.answer);
  const agent = new AbortController();
  const posted = post(asked, {}, agent.signal);
  await until(() => provider.received.length === 1);
  stream.write(text + finish);
  const reader = readerOf(await posted);
  await readUntil(reader, 'finish');
  agent.abort();
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(session.inFlight).toBe(1);
  stream.write(`data: {"usage":{"inputTokens":1,"outputTokens":1}}\n\n${done}`);
  stream.end();
  await until(() => session.inFlight === 0);
  expect(trace.calls).toMatchObject([{ error: null, usage: { outputTokens: 1 } }]);
  expect(trace.lastReply).toBe('one');
});
