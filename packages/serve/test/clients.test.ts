import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secrets } from '@vf/run';
import { expect, onTestFinished, test } from 'vitest';
import { ClientPool } from '../src/request/clients.ts';

/** What looks like a llama.cpp and samples nothing. */
async function startEngine(): Promise<string> {
  const props = JSON.stringify({ default_generation_settings: { n_ctx: 100 } });
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/props' ? 200 : 400);
    response.end(request.url === '/props' ? props : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A vocabulary of two letters and the control tokens of ChatML. */
function tokenizerJson(): object {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
  return {
    model: { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [] },
    added_tokens: ['<|im_start|>', '<|im_end|>'].map((content, at) => ({ id: 2 + at, content })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
  };
}

test('a client says what its renderer cannot do, whoever opened it [serve/train]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vf-clients-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizerJson()));
  const url = await startEngine();
  const notes: string[] = [];
  const train = {
    engine: 'llama.cpp' as const,
    renderer: null,
    rendererOptions: {},
    tokenizer: folder,
    logprobs: 'raw' as const,
    replicas: [],
    otherTemplate: true,
  };
  const pool = new ClientPool(new Secrets({}), train);
  onTestFinished(() => pool.close());
  const spec = (family: string) => ({
    baseUrl: url,
    keyVar: null,
    headers: {},
    headersFromEnv: {},
    train: { rendererModel: null, renderer: { family, options: {} } },
  });
  for (const model of ['step-1', 'step-2']) {
    for (const family of ['chatml', 'smollm2']) {
      await pool.use(spec(family), model, async (client) => {
        notes.push(...(client.notes ?? []));
      });
    }
  }
  const [chatml, smollm2] = [/^renderer chatml: no tools/, /^renderer smollm2: no tools/].map(
    (words) => expect.stringMatching(words) as string,
  );
  expect(notes).toEqual([chatml, smollm2, chatml, smollm2]);
});

test('headers that cannot be sent are refused, not tried [serve/hostile]', async () => {
  const train = {
    engine: 'llama.cpp' as const,
    renderer: null,
    rendererOptions: {},
    tokenizer: null,
    logprobs: 'raw' as const,
    replicas: [],
    otherTemplate: true,
  };
  const pool = new ClientPool(new Secrets({ TEAM: 'sesame\n' }), train);
  onTestFinished(() => pool.close());
  const open = (spec: object): Promise<unknown> => {
    const none = { keyVar: null, headers: {}, headersFromEnv: {}, train: null };
    return pool
      .use({ baseUrl: 'http://127.0.0.1:9/v1', ...none, ...spec }, 'policy', async () => 'opened')
      .catch((reason: unknown) => reason);
  };
  const refused = { code: 'config/invalid' };
  expect(await open({ headers: { 'x-a': 'one\r\nx-b: two' } })).toMatchObject(refused);
  expect(await open({ headers: { 'content-length': '5' } })).toMatchObject(refused);
  expect(await open({ headersFromEnv: { 'x-a': 'TEAM' } })).toMatchObject(refused);
  expect(await open({ keyVar: 'TEAM' })).toMatchObject(refused);
  expect(await open({ headers: { 'x-a': 'one' } })).toBe('opened');
});
