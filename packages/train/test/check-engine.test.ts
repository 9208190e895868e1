import { describe, expect, test } from 'vitest';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import { checkEngine, makeEngine } from '../src/index.ts';
import { answering } from './recorded.ts';
import { requestOf } from './scripted.ts';

const { signal } = new AbortController();

/** As llama.cpp and as FastAPI say that there is no such route. */
const missing = [
  {
    status: 404,
    body: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
  },
  { status: 404, body: { detail: 'Not Found' } },
  { status: 405, body: { detail: 'Method Not Allowed' } },
];

describe('a server of another kind [train/renderer-refused]', () => {
  test.each([
    ['vllm', '/inference/v1/generate'],
    ['vllm-chat', '/v1/chat/completions'],
    ['sglang', '/generate'],
    ['llama.cpp', '/completion'],
  ] as const)('is no %s, and is told before the run', async (engine, route) => {
    for (const answer of missing) {
      await using server = await answering(answer);
      await expect(checkEngine(engine, { baseUrl: server.url }, signal)).rejects.toMatchObject({
        code: 'misfit/plan',
        message: expect.stringContaining(`has no ${route}, which the engine ${engine}`) as string,
        hint: expect.stringContaining('client.engine') as string,
      });
      expect(server.received).toMatchObject([{ path: route, body: {} }]);
    }
  });

  test('a vLLM is told how to be started, a replica is asked too, and a path that is wrong is named', async () => {
    await using right = await answering({ status: 400, body: { error: 'no token_ids' } });
    await using wrong = await answering(missing[1] ?? 'hang up');
    const options = { baseUrl: right.url, replicas: [wrong.url.replace('/v1', '/v2')] };
    await expect(checkEngine('vllm', options, signal)).rejects.toThrow(
      /\/v2 has no .*--enable-scale-out/,
    );
  });

  test.each([
    { status: 400, body: { error: { message: 'prompt is missing' } } },
    { status: 404, body: { error: { message: 'The model `x` does not exist.' } } },
    'hang up' as const,
  ])('what has the route passes: %j', async (answer) => {
    await using server = await answering(answer);
    await expect(checkEngine('vllm', { baseUrl: server.url }, signal)).resolves.toBeUndefined();
  });

  test('what has not answered when patience is over passes, and an end of the run ends the question', async () => {
    await using server = await answering('hang');
    const options = { baseUrl: server.url };
    await checkEngine('vllm', options, signal, AbortSignal.abort());
    const stop = new AbortController();
    const checked = checkEngine('vllm', options, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(checked).rejects.toThrow('stopped');
  });

  test('in mid-run the failure names the route and the engine, and no model', async () => {
    await using server = await answering(missing[0] ?? 'hang up');
    const engine = makeEngine('llama.cpp', { baseUrl: server.url });
    for (const asked of [
      engine.sample(requestOf('a'), signal),
      engine.contextLength('m', signal),
    ]) {
      const error: unknown = await asked.catch((failure: unknown) => failure);
      if (!(error instanceof EngineFailed)) throw new Error('nothing failed', { cause: error });
      expect(error.error).toMatchObject({ status: 404, code: 'invalid' });
      expect(error.message).toMatch(/has no \/(completion|props), which the engine llama\.cpp/);
    }
    await engine.close();
  });
});
