import { connect } from 'node:net';
import type { CallError } from '@vf/core';
import { afterEach, expect, test } from 'vitest';
import { readUntil, readerOf, rig, until, userTurn } from './rig.ts';
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
const limit: CallError = { status: 429, code: 'refused', message: 'max_turns reached' };
const silent: Answerer = () => undefined;

test('[wire/refusal] a turn that is not admitted is a 400 as long as the agent asks; its prompt is in the record', async () => {
  let isFull = false;
  const { provider, trace, post } = await start({}, { admit: () => (isFull ? limit : null) });
  provider.script(good);
  await post(userTurn('hi'));
  isFull = true;
  for (let i = 0; i < 3; i++) {
    const response = await post(userTurn('hi', 'hello', 'more'));
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(await response.json()).toMatchObject({ error: { message: 'max_turns reached' } });
  }
  expect(provider.received).toHaveLength(1);
  expect(trace.messages.map(({ content }) => content)).toEqual(['hi', 'hello', 'more']);
  expect(trace.calls).toHaveLength(1);
});

test('[wire/client-gone] a request that breaks off is told to have begun, and no call comes of it', async () => {
  let begun = 0;
  const { session, trace, post, provider } = await start({}, { onRequest: () => void begun++ });
  const { url, bearer } = session.endpoint;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = ['POST /v1/turns HTTP/1.1', 'host: x', `x-api-key: ${bearer}`];
  socket.write([...head, 'content-length: 100', '', '{"model"'].join('\r\n'));
  await until(() => begun === 1);
  socket.destroy();
  provider.script(good);
  await post(userTurn('hi'));
  expect(begun).toBe(2);
  expect(trace.calls).toHaveLength(1);
});

test('[wire/refusal] halt answers calls under way and all further ones', async () => {
  const { provider, trace, post, session } = await start();
  provider.script((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"text":"so far"}\n\n');
  }, silent);
  const reader = readerOf(await post({ ...userTurn('a'), stream: true }));
  await readUntil(reader, 'so far');
  const waiting = post(userTurn('b'));
  await until(() => provider.received.length === 2);
  session.halt(limit);
  expect(await readUntil(reader, 'max_turns')).toBe(
    'data: {"error":{"status":400,"code":"refused","message":"max_turns reached"}}\n\n',
  );
  expect((await reader.read()).done).toBe(true);
  expect((await waiting).status).toBe(400);
  expect((await post(userTurn('c'))).status).toBe(400);
  await until(() => session.inFlight === 0);
  const ended = trace.calls.map(({ error, partial }) => [error?.code, error?.message, partial]);
  expect(ended).toHaveLength(2);
  expect(ended).toContainEqual(['aborted', 'max_turns reached', undefined]);
  expect(ended).toContainEqual(['aborted', 'max_turns reached', 'so far']);
});

test('close drains what is under way, then takes the bearer away', async () => {
  const { provider, trace, post, session } = await start();
  const gate = Promise.withResolvers<void>();
  provider.script(async (response, call) => {
    await gate.promise;
    await good(response, call);
  });
  const waiting = post(userTurn('hi'));
  await until(() => session.inFlight === 1);
  const closed = session.close();
  expect(session.close()).toBe(closed);
  expect((await post(userTurn('late'))).status).toBe(400);
  gate.resolve();
  expect((await waiting).status).toBe(200);
  await closed;
  expect(trace.lastReply).toBe('hello');
  const straggler = await post(userTurn('later'));
  expect([straggler.status, await straggler.json()]).toMatchObject([
    400,
    { error: { message: 'the rollout is over' } },
  ]);
});

test('close ends what does not drain', async () => {
  const { provider, trace, post, session } = await start();
  provider.script(silent);
  const waiting = post(userTurn('hi'));
  await until(() => provider.received.length === 1);
  await session.close({ drainMs: 10 });
  expect((await waiting).status).toBe(400);
  expect(trace.calls).toMatchObject([{ error: { code: 'aborted' } }]);
});

test('close does not wait for a call whose agent is gone', async () => {
  const { provider, trace, post, session } = await start();
  provider.script(silent);
  const agent = new AbortController();
  const gone = post(userTurn('hi'), {}, agent.signal).catch(() => 'gone');
  await until(() => provider.received.length === 1);
  agent.abort();
  await gone;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await session.close({ drainMs: 60_000 });
  expect(trace.calls).toMatchObject([{ error: { code: 'aborted' } }]);
});

test('a cancelled rollout ends its calls', async () => {
  const { provider, trace, client, server } = await start();
  provider.script(silent);
  const cancel = new AbortController();
  const spec = {
    rolloutId: 'two',
    trace,
    client,
    model: null,
    sampling: {},
    price: null,
    admit: () => null,
  };
  const session = await server.open(spec, cancel.signal);
  const { url, bearer } = session.endpoint;
  const waiting = fetch(`${url}/v1/turns`, {
    method: 'POST',
    headers: { 'x-api-key': bearer },
    body: JSON.stringify(userTurn('hi')),
  });
  await until(() => provider.received.length === 1);
  cancel.abort();
  expect((await waiting).status).toBe(400);
  await until(() => session.inFlight === 0);
});

test('calls are told to the rollout, failed ones too, before their reply ends', async () => {
  const told: (string | null)[] = [];
  const { provider, post } = await start(
    { limits: { retries: 0 } },
    { onCall: (call) => void told.push(call.error?.code ?? null) },
  );
  provider.script(plain({}, 500), streamed(eventsOf('one')));
  await post(userTurn('hi'));
  expect(told).toEqual(['provider']);
  await (await post({ ...userTurn('hi'), stream: true })).text();
  expect(told).toEqual(['provider', null]);
});
