import { afterEach, expect, test } from 'vitest';
import { readUntil, readerOf, rig, until, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain } from './scripted-provider.ts';
import type { Answerer } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig({ includeUsage: false, ...options[0] }, options[1]);
  return open;
}

const asked = userTurn('hi');
let count = 0;
const numbered: Answerer = (response, call) =>
  plain({ text: `reply ${++count}`, finish: 'stop' })(response, call);

/** An answer that waits to be let go. */
function held(answer: Answerer): { answer: Answerer; release(): void } {
  const gate = Promise.withResolvers<void>();
  return {
    release: gate.resolve,
    async answer(response, call) {
      await gate.promise;
      await answer(response, call);
    },
  };
}

test.each([
  ['an equal Idempotency-Key', { 'idempotency-key': 'k1' }, { 'idempotency-key': 'k1' }],
  ['a retry count above 0', { 'x-stainless-retry-count': '0' }, { 'x-stainless-retry-count': '1' }],
])(
  '[wire/retry-joined] %s joins the call in flight and gets the recorded answer later',
  async (_name, first, again) => {
    const { provider, trace, post } = await start();
    const gate = held(numbered);
    provider.script(gate.answer);
    const original = post(asked, first);
    await until(() => provider.received.length === 1);
    const joined = post(asked, again);
    gate.release();
    const [a, b] = await Promise.all([original, joined].map(async (reply) => (await reply).text()));
    expect(b).toBe(a);
    expect(await (await post(asked, again)).text()).toBe(a);
    expect([provider.received.length, trace.calls.length, trace.graph.nodes.length]).toEqual([
      1, 1, 2,
    ]);
  },
);

test('[wire/retry-joined] a request whose earlier connection is gone joins it and gets all bytes', async () => {
  const { provider, trace, post, session } = await start();
  let upstream: Parameters<Answerer>[0] | null = null;
  provider.script((response) => {
    upstream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"text":"one "}\n\n');
  });
  const agent = new AbortController();
  const streaming = { ...asked, stream: true };
  await readUntil(readerOf(await post(streaming, {}, agent.signal)), 'one');
  agent.abort();
  await until(() => session.inFlight === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const joined = await post(streaming);
  const end = 'data: {"text":"two"}\n\ndata: {"finish":"stop"}\n\ndata: [DONE]\n\n';
  (upstream as Parameters<Answerer>[0] | null)?.end(end);
  expect(await joined.text()).toBe(`data: {"text":"one "}\n\n${end}`);
  expect([provider.received.length, trace.calls.length]).toEqual([1, 1]);
});

test('[wire/retry-joined] a reply that was recorded but not delivered is given again', async () => {
  const { provider, trace, post, session } = await start();
  const gate = held((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(eventsOf('one two'));
  });
  provider.script(gate.answer);
  const agent = new AbortController();
  const lost = post({ ...asked, stream: true }, {}, agent.signal).catch(() => 'lost');
  await until(() => provider.received.length === 1);
  agent.abort();
  await lost;
  gate.release();
  await until(() => session.inFlight === 0);
  expect(await (await post({ ...asked, stream: true })).text()).toBe(eventsOf('one two'));
  expect([provider.received.length, trace.calls.length]).toEqual([1, 1]);
});

test('[wire/retry-not] equal requests without a hint are calls of their own', async () => {
  const { provider, trace, post } = await start();
  provider.script(numbered);
  const replies = await Promise.all(
    [post(asked), post(asked)].map(async (reply) => (await reply).text()),
  );
  expect(new Set(replies).size).toBe(2);
  await post(asked);
  await post(asked, { 'x-stainless-retry-count': '0' });
  expect([provider.received.length, trace.calls.length]).toEqual([4, 4]);
});

test('[wire/retry-not] a retry with another body is a call of its own', async () => {
  const { provider, post } = await start();
  provider.script(numbered);
  await post(asked, { 'x-stainless-retry-count': '0' });
  await post(userTurn('ho'), { 'x-stainless-retry-count': '1' });
  expect(provider.received).toHaveLength(2);
});

test('[wire/retry-not] one key with two bodies is refused', async () => {
  const { provider, post } = await start();
  provider.script(numbered);
  await post(asked, { 'idempotency-key': 'k1' });
  const response = await post(userTurn('ho'), { 'idempotency-key': 'k1' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid' } });
  expect(provider.received).toHaveLength(1);
});

test('[wire/retry-not] a call that failed is asked again', async () => {
  const { provider, post } = await start({ limits: { retries: 0 } });
  provider.script(plain({}, 500), numbered);
  expect((await post(asked, { 'idempotency-key': 'k1' })).status).toBe(500);
  expect((await post(asked, { 'idempotency-key': 'k1' })).status).toBe(200);
});

test('old and surplus replies are let go', async () => {
  const { provider, post } = await start({ limits: { keptReplies: 10 } });
  provider.script(numbered);
  const bodies = [userTurn('a'), userTurn('b')];
  for (const body of bodies)
    await post(body, { 'x-stainless-retry-count': '0' }).then((reply) => reply.text());
  await post(userTurn('b'), { 'x-stainless-retry-count': '1' }).then((reply) => reply.text());
  expect(provider.received).toHaveLength(2);
  await post(userTurn('a'), { 'x-stainless-retry-count': '1' }).then((reply) => reply.text());
  expect(provider.received).toHaveLength(3);
});
