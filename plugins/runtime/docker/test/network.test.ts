import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { engineAt } from '../src/engine/engine.ts';
import { builtImage } from '../src/image/build.ts';
import { boxes, noEngine, outside, servers, signal } from './engine.ts';

describe.skipIf(noEngine)('network policies', () => {
  const open = boxes();
  const serve = servers();
  const curl = async (box: Box, url: string, ...flags: string[]): Promise<string> =>
    (await box.run(['curl', '-sS', '--max-time', '5', ...flags, url])).stdout;

  test('an allowlist lets through what is on it, by the proxy alone', async () => {
    const address = outside;
    const url = await serve(address, 'outside');
    const model = await serve('127.0.0.1', 'model');
    const box = await open();
    const endpoint = await box.reach(model, signal);
    expect(await curl(box, url)).toBe('outside');
    await box.setNetwork({ mode: 'allowlist', hosts: [address] }, [model], signal);
    expect(await curl(box, url)).toBe('outside');
    expect(await curl(box, endpoint)).toBe('model');
    expect(await curl(box, url, '--noproxy', '*')).toBe('');
    await box.setNetwork({ mode: 'allowlist', hosts: ['example.com'] }, [model], signal);
    expect(await curl(box, url)).toContain('does not allow');
    await box.setNetwork({ mode: 'no-network' }, [model], signal);
    expect(await curl(box, url)).toBe('');
    expect(await curl(box, endpoint)).toBe('model');
    await box.setNetwork({ mode: 'public' }, [], signal);
    expect(await curl(box, url)).toBe('outside');
    expect(await curl(box, endpoint)).toBe('model');
  });

  test('a box can begin closed and still reach the model', async () => {
    const model = await serve('127.0.0.1', 'model');
    const box = await open({ network: { mode: 'no-network' } });
    expect(await curl(box, await box.reach(model, signal))).toBe('model');
    const interfaces = await box.run(['sh', '-c', 'ls /sys/class/net']);
    expect(interfaces.stdout.trim()).toBe('lo');
  });

  test('a relay that ends is told as that, with its last words', async () => {
    const context = await mkdtemp(join(tmpdir(), 'vf-relay-'));
    const node =
      "RUN printf '#!/bin/sh\\necho node is broken >&2; exit 1' >/bin/node; chmod +x /bin/node";
    await writeFile(join(context, 'Dockerfile'), `FROM busybox:latest\n${node}\n`);
    const image = await builtImage(engineAt(undefined), { context }, signal);
    await rm(context, { recursive: true });
    const box = await open({ config: { relay_image: image } });
    await expect(box.reach('http://127.0.0.1:9', signal)).rejects.toMatchObject({
      code: 'runtime/unreachable',
      message: expect.stringContaining('node is broken') as string,
    });
  });
});
