import { afterEach, expect, test } from 'vitest';
import { probeProvider } from '../src/index.ts';
import { plain, scriptedProvider } from './scripted-provider.ts';
import type { Answerer, ScriptedProvider } from './scripted-provider.ts';
import { wireDialect } from './wire-dialect.ts';

let provider: ScriptedProvider | null = null;
afterEach(() => provider?.close());

async function probe(answer: Answerer, model = 'real-model'): Promise<ScriptedProvider> {
  provider = await scriptedProvider();
  provider.script(answer);
  const options = {
    baseUrl: `${provider.url}/v1`,
    key: 'provider-key',
    dialect: wireDialect,
    model,
  };
  await probeProvider(options, new AbortController().signal);
  return provider;
}

const list = plain({ data: [{ id: 'real-model' }, { id: 'other-model' }] });
/** A list, and a 404 or a 200 when asked for one model by name. */
const listing =
  (status: number): Answerer =>
  (response, call) =>
    call.url === '/v1/models' ? list(response, call) : plain({}, status)(response, call);

test('a listed model passes, asked for with the key and without sampling', async () => {
  const { received } = await probe(list);
  expect(received.map(({ method, url, headers }) => [method, url, headers['x-api-key']])).toEqual([
    ['GET', '/v1/models', 'provider-key'],
  ]);
});

test('an alias that is in no list passes when it is known by name', async () => {
  const { received } = await probe(listing(200), 'real-model-latest');
  expect(received.at(-1)?.url).toBe('/v1/models/real-model-latest');
});

test('an unknown model is named with the nearest one', async () => {
  await expect(probe(listing(404), 'real-modle')).rejects.toMatchObject({
    code: 'provider/unknown_model',
    message: expect.stringContaining('real-model') as string,
  });
});

test.each([401, 403])(
  'status %i is a refused key, which the error does not say',
  async (status) => {
    await expect(probe(plain({ error: 'bad provider-key' }, status))).rejects.toMatchObject({
      code: 'provider/auth',
      message: expect.not.stringContaining('provider-key') as string,
    });
  },
);

test.each([
  ['no list', plain({}, 404)],
  ['a list of another form', plain({ models: [] })],
])('a provider with %s passes', async (_what, answer) => {
  const { received } = await probe(answer);
  expect(received).toHaveLength(1);
});

const text =
  (body: string, status: number, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const odd: readonly (readonly [string, Answerer, string])[] = [
  ['a web page', text('<!DOCTYPE html><p>hi', 200), 'a web page (status 200)'],
  ['a web page that is not there', text('<html>', 404), 'a web page (status 404)'],
  ['a page for no such method', text('<html>', 501), 'a web page (status 501)'],
  ['words', text('404 page not found', 404), 'no JSON (status 404)'],
  ['a redirect', text('', 302, { location: '/login' }), 'a redirect to /login (status 302)'],
];

test.each(odd)(
  'what answers everything with %s is no model server',
  async (_what, answer, said) => {
    await expect(probe(answer)).rejects.toMatchObject({
      code: 'provider/unreachable',
      message: expect.stringContaining(`/v1/turns with ${said}`) as string,
      hint: expect.stringContaining('client.base_url') as string,
    });
  },
);

test.each(odd)(
  'a provider with %s for a list passes when it takes turns',
  async (_what, answer) => {
    const { received } = await probe((response, call) =>
      call.method === 'GET'
        ? answer(response, call)
        : plain({ error: 'no messages' }, 400)(response, call),
    );
    expect(received.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', '{}'],
    ]);
  },
);

test('a page of a gateway whose server is not up yet passes', async () => {
  await expect(probe(text('<html>', 502))).resolves.toBeDefined();
});

test('a refused connection is unreachable', async () => {
  const gone = await scriptedProvider();
  await gone.close();
  const options = { baseUrl: gone.url, key: null, dialect: wireDialect, model: 'm' };
  await expect(probeProvider(options, new AbortController().signal)).rejects.toMatchObject({
    code: 'provider/unreachable',
  });
});

test.each([
  ['answers nothing', () => undefined],
  [
    'answers half of its list',
    (response: Parameters<Answerer>[0]) => void response.write('{"data"'),
  ],
])('a provider that %s is unreachable when patience ends', async (_what, answer) => {
  provider = await scriptedProvider();
  provider.script(answer);
  const options = {
    baseUrl: provider.url,
    key: null,
    dialect: wireDialect,
    model: 'm',
    patienceMs: 50,
  };
  await expect(probeProvider(options, new AbortController().signal)).rejects.toMatchObject({
    code: 'provider/unreachable',
    message: expect.stringContaining('did not answer') as string,
  });
});
