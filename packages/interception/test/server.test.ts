import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { startInterception } from '../src/index.ts';
import { newTrace, quiet, rig, until, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain } from './scripted-provider.ts';
import { wireDialect } from './wire-dialect.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

const good = plain({ text: 'hello', finish: 'stop' });
const asked = JSON.stringify(userTurn('hi'));

/** Closes what the server side of a conversation still holds and gives all text that came. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
  });
}

describe('a secret', () => {
  test('[wire/secret] is taken out on the way and the provider’s key put in', async () => {
    const { provider, session, post } = await start();
    provider.script(good);
    const response = await post(asked);
    expect(provider.received[0]?.headers['x-api-key']).toBe('provider-key');
    expect(JSON.stringify(provider.received)).not.toContain(session.endpoint.bearer);
    expect(JSON.stringify([...response.headers])).not.toContain('provider-key');
  });

  test('[wire/queries] may stand in the query; the rest of the query goes on', async () => {
    const { provider, session } = await start();
    provider.script(good);
    const { url, bearer } = session.endpoint;
    await fetch(`${url}/v1/turns?beta=true&key=${bearer}&b=%20`, { method: 'POST', body: asked });
    expect(provider.received[0]?.url).toBe('/v1/turns?beta=true&b=%20');
  });

  test('[wire/unknown-secret] an unknown one is a 401 in the dialect’s shape', async () => {
    const { provider, session } = await start();
    const { url, bearer } = session.endpoint;
    for (const key of ['sk-mine', `${bearer}0`, `${bearer.slice(0, -1)}x`, '']) {
      const response = await fetch(`${url}/v1/turns`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: asked,
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'auth' } });
    }
    expect(provider.received).toEqual([]);
  });

  test('[wire/secret] the provider’s key is masked in its own error texts', async () => {
    const { provider, post } = await start();
    provider.script((response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'x-echo': 'provider-key' });
      response.write('{"error":{"status":400,"code":"invalid","message":"bad provi');
      setTimeout(() => response.end('der-key"}}'), 5);
    });
    const response = await post(asked);
    expect(await response.text()).toContain('bad ***');
    expect(response.headers.get('x-echo')).toBe('***');
  });
});

describe('routes', () => {
  test('[wire/prefix] match below any path prefix', async () => {
    const { provider, session } = await start();
    provider.script(good);
    const { url, bearer } = session.endpoint;
    const response = await fetch(`${url}/some/proxy/v1/turns`, {
      method: 'POST',
      headers: { 'x-api-key': bearer },
      body: asked,
    });
    expect(response.status).toBe(200);
    expect(provider.received[0]?.url).toBe('/v1/turns');
  });

  test('[wire/probes] probes get an empty 200, unserved paths the dialect’s 404, unknown ones ours', async () => {
    const { session } = await start();
    const { url, bearer } = session.endpoint;
    const probe = await fetch(`${url}/`, { method: 'HEAD' });
    expect([probe.status, await probe.text()]).toEqual([200, '']);
    const refused = await fetch(`${url}/v1/turns/7`, { headers: { 'x-api-key': bearer } });
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { error: { code: 'not_found' } },
    ]);
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  test('[wire/model-list] the model list is answered by us when the run names the model', async () => {
    const { provider, session } = await start({}, { model: 'run-model' });
    const { url, bearer } = session.endpoint;
    const response = await fetch(`${url}/v1/models`, { headers: { 'x-api-key': bearer } });
    expect(await response.json()).toEqual({ data: [{ id: 'run-model' }] });
    expect(provider.received).toEqual([]);
  });

  test('[wire/count-tokens] token counting is relayed and not recorded', async () => {
    const { provider, session, trace } = await start({}, { model: 'run-model' });
    provider.script(plain({ input_tokens: 7 }));
    const { url, bearer } = session.endpoint;
    const response = await fetch(`${url}/v1/count`, {
      method: 'POST',
      headers: { 'x-api-key': bearer },
      body: asked,
    });
    expect(await response.json()).toEqual({ input_tokens: 7 });
    expect(JSON.parse(provider.received[0]?.body ?? '')).toMatchObject({ model: 'run-model' });
    expect([trace.calls, trace.graph.nodes]).toEqual([[], []]);
  });

  test('[wire/upgrade] a WebSocket upgrade is refused', async () => {
    const { session } = await start();
    const head =
      'GET /v1/turns HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n';
    expect(await raw(session.endpoint.url, head)).toMatch(/^HTTP\/1\.1 426 /);
  });
});

describe('headers', () => {
  test('[wire/headers-request] pass but for those of the connection', async () => {
    const { provider, post } = await start();
    provider.script(good);
    const passed = {
      'user-agent': 'agent/1',
      'x-codex-turn': 't',
      'idempotency-key': 'k',
      'anthropic-beta': 'a,b',
    };
    await post(asked, {
      ...passed,
      'accept-encoding': 'gzip',
      cookie: 'c=1',
      authorization: 'Bearer mine',
      te: 'trailers',
    });
    const received = provider.received[0]?.headers ?? {};
    expect(received).toMatchObject({
      ...passed,
      'content-length': String(asked.length),
      host: new URL(provider.url).host,
    });
    for (const name of ['accept-encoding', 'cookie', 'authorization', 'te'])
      expect(received[name]).toBeUndefined();
  });

  test('[wire/headers-reply] of the provider are forwarded', async () => {
    const { provider, post } = await start();
    const forwarded = {
      'request-id': 'q',
      'x-ratelimit-remaining-tokens': '5',
      'retry-after': '3',
    };
    provider.script(plain({ text: 'hello' }, 200, { ...forwarded, 'set-cookie': 'c=1' }));
    const { headers } = await post(asked);
    for (const [name, value] of Object.entries(forwarded)) expect(headers.get(name)).toBe(value);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('content-length')).toBe(String(JSON.stringify({ text: 'hello' }).length));
  });
});

describe('limits', () => {
  test('[wire/large-body] a body above the limit is a 413 in the dialect’s shape, packed or not', async () => {
    const { provider, session } = await start({ limits: { bodyBytes: 1000 } });
    const { url, bearer } = session.endpoint;
    const large = Buffer.from(JSON.stringify(userTurn('x'.repeat(1000))));
    for (const [body, encoding] of [
      [large, 'identity'],
      [gzipSync(large), 'gzip'],
    ] as const) {
      const response = await fetch(`${url}/v1/turns`, {
        method: 'POST',
        headers: { 'x-api-key': bearer, 'content-encoding': encoding },
        body: new Uint8Array(body),
      });
      expect([response.status, await response.json()]).toMatchObject([
        413,
        { error: { code: 'invalid' } },
      ]);
    }
    expect(provider.received).toEqual([]);
  });

  test('[wire/back-pressure] a slow reader does not buffer without bound', async () => {
    const { provider, session } = await start({ limits: { joinableReply: 1024 } });
    const event = `data: ${JSON.stringify({ text: 'x'.repeat(64 * 1024) })}\n\n`;
    let sent = 0;
    provider.script(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const closed = once(response, 'close');
      while (!response.destroyed && sent < 3000) {
        sent++;
        if (!response.write(event)) await Promise.race([once(response, 'drain'), closed]);
      }
    });
    const { url, bearer } = session.endpoint;
    const agent = httpRequest(`${url}/v1/turns`, {
      method: 'POST',
      headers: { 'x-api-key': bearer },
    });
    const paused = new Promise((resolve) =>
      agent.on('response', (response) => resolve(response.pause())),
    );
    agent.on('error', () => undefined);
    agent.end(JSON.stringify({ ...userTurn('hi'), stream: true }));
    await paused;
    let last = -1;
    while (sent !== last) {
      last = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // 190 MB wait to be sent; what went out stands in the buffers of four sockets.
    expect(sent).toBeLessThan(600);
    agent.destroy();
  });

  test('32 rollouts share a listener, further ones open another, an empty one closes', async () => {
    const server = await startInterception({
      dialects: [wireDialect],
      log: quiet,
      limits: { rolloutsPerServer: 2 },
    });
    const client = { send: () => Promise.reject(new Error('not asked')) };
    const spec = {
      trace: newTrace(),
      client,
      model: null,
      sampling: {},
      price: null,
      admit: () => null,
    };
    const sessions = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        server.open({ ...spec, rolloutId: `r${n}` }, new AbortController().signal),
      ),
    );
    expect(server.listeners).toBe(3);
    expect(new Set(sessions.map(({ endpoint }) => endpoint.bearer)).size).toBe(5);
    await Promise.all(sessions.slice(0, 4).map((session) => session.close()));
    await until(() => server.listeners === 1);
    await server.close();
    await server.close();
    await expect(
      server.open({ ...spec, rolloutId: 'late' }, new AbortController().signal),
    ).rejects.toThrow('closed');
  });

  test('hundreds of calls at once are all answered and recorded', async () => {
    const { provider, trace, post } = await start({ includeUsage: false });
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      setTimeout(() => response.end(eventsOf('one two')), 20);
    });
    const texts = await Promise.all(
      Array.from({ length: 300 }, async (_, n) =>
        (await post({ ...userTurn(`call ${n}`), stream: true })).text(),
      ),
    );
    expect(new Set(texts)).toEqual(new Set([eventsOf('one two')]));
    expect(trace.graph.leaves()).toHaveLength(300);
  }, 60_000);
});

describe('a mount', () => {
  test('is served under the session’s bearer, streams, and hears its client go', async () => {
    const { session } = await start();
    const gone = Promise.withResolvers<void>();
    const url = session.mount('tools', async (request) => {
      if (request.method === 'GET') {
        request.signal.addEventListener('abort', () => gone.resolve());
        return new Response(
          new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('open')) }),
        );
      }
      return Response.json({ echo: await request.json(), at: new URL(request.url).search });
    });
    const headers = { authorization: `Bearer ${session.endpoint.bearer}` };
    const reply = await fetch(`${url}?a=1`, { method: 'POST', headers, body: '{"b":2}' });
    expect(await reply.json()).toEqual({ echo: { b: 2 }, at: '?a=1' });
    const agent = new AbortController();
    const stream = await fetch(url, { headers, signal: agent.signal });
    expect(Buffer.from((await stream.body?.getReader().read())?.value ?? []).toString()).toBe(
      'open',
    );
    agent.abort();
    await gone.promise;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}2`, { headers })).status).toBe(404);
  });
});
