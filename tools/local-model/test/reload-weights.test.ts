import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { reloadWeights } from '../src/index.ts';

/** A server that says yes to all but one path, and remembers what it was asked. */
async function serving(refused: string | null = null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume().on('end', () => {
      response.writeHead(request.url === refused ? 400 : 200);
      response.end('{"message": "no such weights"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const update = { folder: './step-1', version: 'step-1' };

test('vLLM is paused, given the weights and their name, and goes on', async () => {
  const { url, asked } = await serving();
  await reloadWeights({ url, engine: 'vllm' }, update);
  expect(asked).toEqual([
    '/pause?mode=wait',
    '/collective_rpc',
    '/update_weight_version',
    '/reset_prefix_cache',
    '/resume',
  ]);
});

test('it goes on when it cannot load them, and the caller is told', async () => {
  const { url, asked } = await serving('/collective_rpc');
  const reloading = reloadWeights({ url, engine: 'vllm' }, { ...update, inFlight: 'keep' });
  await expect(reloading).rejects.toThrow(/collective_rpc with 400: .*no such weights/);
  expect(asked).toEqual(['/pause?mode=keep', '/collective_rpc', '/resume']);
});

test('SGLang is paused only to keep calls in flight', async () => {
  const { url, asked } = await serving();
  await reloadWeights({ url, engine: 'sglang' }, update);
  await reloadWeights({ url, engine: 'sglang' }, { ...update, inFlight: 'keep' });
  expect(asked).toEqual([
    '/update_weights_from_disk',
    '/pause_generation',
    '/update_weights_from_disk',
    '/continue_generation',
  ]);
});

test('llama.cpp cannot', async () => {
  const server = { url: 'http://127.0.0.1:9', engine: 'llama.cpp' } as const;
  await expect(reloadWeights(server, update)).rejects.toThrow(/start it anew/);
});
