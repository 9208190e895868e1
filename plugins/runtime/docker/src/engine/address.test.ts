import { afterEach, expect, test, vi } from 'vitest';
import { configSchema } from '../config.ts';
import { isAddress } from './address.ts';
import { engineAt } from './engine.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  'unix:///var/run/docker.sock',
  'tcp://10.0.0.5:2376',
  'tcp://big-machine',
  'https://big-machine:2376',
  'http://[::1]:2375',
  'ssh://me@big-machine:22/run/docker.sock',
])('%s names an engine', (address) => {
  expect(isAddress(address)).toBe(true);
});

test.each([
  ['/etc/passwd', 'unix:///etc/passwd'],
  ['tcp://127.0.0.1:99999', 'unix:///var/run/docker.sock'],
  ['localhost:2375', 'tcp://localhost:2375'],
  ['unix://', 'unix:///var/run/docker.sock'],
  ['ftp://x', 'unix:///var/run/docker.sock'],
])('%s names none: the option and the variable are refused with the forms', (address, likely) => {
  expect(configSchema.safeParse({ host: address }).error?.message).toContain('ssh://[USER@]HOST');
  vi.stubEnv('DOCKER_HOST', address);
  expect(() => engineAt(undefined)).toThrow(
    expect.objectContaining({
      code: 'config/invalid',
      message: `DOCKER_HOST names no Docker engine: ${address}`,
      hint: expect.stringContaining(`DOCKER_HOST=${likely}; the forms are unix:`) as string,
    }),
  );
});

test('an empty DOCKER_HOST is none', () => {
  vi.stubEnv('DOCKER_HOST', '');
  expect(engineAt(undefined).address).toMatch(/^unix:\/\/\//);
});
