import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { reloadWeights } from '../src/index.ts';

/** A server that says yes to all but one path, and remembers what it was asked. */
async function serving(refused: string | null = null) {
  const asked: string[] = [];
  const told: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      told.push(body);
      response.writeHead(request.url === refused ? 400 : 200);
      response.end('{"message": "no such weights"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, told };
}

const place = mkdtempSync(join(tmpdir(), 'vf-weights-'));
writeFileSync(join(place, 'config.json'), '{}');
afterAll(() => rmSync(place, { recursive: true, force: true }));
const update = { folder: relative(process.cwd(), place), version: 'step-1' };

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

test('the server, which works elsewhere, is given the whole path; a folder without weights is refused', async () => {
  const { url, asked, told } = await serving();
  await reloadWeights({ url, engine: 'vllm' }, update);
  await reloadWeights({ url, engine: 'sglang' }, update);
  expect(told.filter((body) => body.includes(JSON.stringify(place)))).toHaveLength(2);
  const before = asked.length;
  const reloading = reloadWeights({ url, engine: 'vllm' }, { ...update, folder: './none' });
  await expect(reloading).rejects.toThrow(/none is no folder of weights: it has no config\.json/);
  expect(asked).toHaveLength(before);
});

test('llama.cpp cannot', async () => {
  const server = { url: 'http://127.0.0.1:9', engine: 'llama.cpp' } as const;
  await expect(reloadWeights(server, update)).rejects.toThrow(/start it anew/);
});
