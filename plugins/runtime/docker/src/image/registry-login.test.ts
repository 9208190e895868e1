import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { basesOf } from './bases.ts';
import { registryLogin, registryOf } from './registry-login.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vf-login-'));
  vi.stubEnv('DOCKER_CONFIG', dir);
});
afterEach(() => rm(dir, { recursive: true }));
const config = (value: object): Promise<void> =>
  writeFile(join(dir, 'config.json'), JSON.stringify(value));

test.each([
  ['busybox', 'https://index.docker.io/v1/'],
  ['library/busybox:1', 'https://index.docker.io/v1/'],
  ['docker.io/me/it', 'https://index.docker.io/v1/'],
  ['ghcr.io/me/it:1', 'ghcr.io'],
  ['localhost/it', 'localhost'],
  ['host:5000/it@sha256:00', 'host:5000'],
])('%s is of the registry %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry);
});

test('a login is the one that docker login kept for the registry', async () => {
  expect(await registryLogin('ghcr.io/me/it')).toBeNull();
  const auth = Buffer.from('me:pass:word').toString('base64');
  await config({ auths: { 'ghcr.io': { auth } } });
  expect(await registryLogin('ghcr.io/me/it')).toEqual({
    username: 'me',
    password: 'pass:word',
    serveraddress: 'ghcr.io',
  });
  expect(await registryLogin('quay.io/me/it')).toBeNull();
});

test('a helper is asked for its registry, and one that fails gives none', async () => {
  const helper = join(dir, 'docker-credential-vf');
  await writeFile(
    helper,
    `#!/bin/sh\nread -r at\n[ "$at" = token.io ] && echo '{"Username":"<token>","Secret":"t"}' && exit\n[ "$at" = user.io ] && echo '{"Username":"me","Secret":"s"}' && exit\necho 'credentials not found'; exit 1\n`,
  );
  await chmod(helper, 0o755);
  vi.stubEnv('PATH', `${dir}${delimiter}${process.env['PATH'] ?? ''}`);
  await config({ credsStore: 'vf', credHelpers: { 'gone.io': 'there-is-none' } });
  expect(await registryLogin('user.io/x')).toMatchObject({ username: 'me', password: 's' });
  expect(await registryLogin('token.io/x')).toMatchObject({ username: '', identitytoken: 't' });
  expect(await registryLogin('other.io/x')).toBeNull();
  expect(await registryLogin('gone.io/x')).toBeNull();
});

test('bases are images, not stages, and not what a variable names', () => {
  const text =
    'FROM --platform=linux/amd64 a:1 AS build\nFROM $BASE\nFROM scratch\nfrom build\nFROM B/c\n';
  expect(basesOf(text)).toEqual(['a:1', 'B/c']);
});
