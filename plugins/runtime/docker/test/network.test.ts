import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Box } from '@vf/core';
import { afterEach, describe, expect, test } from 'vitest';
import { boxes, noEngine, signal } from './engine.ts';

/** An address of this machine that boxes can route to while their network is open. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

describe.skipIf(noEngine)('network policies', () => {
  const open = boxes();
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const serve = async (host: string, text: string): Promise<string> => {
    const server = createServer((_request, answer) => answer.end(text)).listen(0, host);
    servers.push(server);
    await once(server, 'listening');
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  const curl = async (box: Box, url: string, ...flags: string[]): Promise<string> =>
    (await box.run(['curl', '-sS', '--max-time', '5', ...flags, url])).stdout;

  test('an allowlist lets through what is on it, by the proxy alone', async () => {
    const address = outside ?? '';
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
});
