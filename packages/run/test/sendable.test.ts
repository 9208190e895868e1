import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressOf, chooseProvider } from '../src/plan/providers.ts';
import { Secrets, resolveConfig } from '../src/index.ts';

/** The address that a config and an environment give. */
async function address(client: string, env: Readonly<Record<string, string>>) {
  const cwd = await mkdtemp(join(tmpdir(), 'vf-headers-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'a.toml'), `client.base_url = "http://127.0.0.1:9/v1"\n${client}`);
  const { config } = await resolveConfig({ cwd, files: ['a.toml'], flags: [], userFile: null });
  const secrets = new Secrets(env);
  return addressOf(chooseProvider(config.client, {}, secrets, null), config.client, secrets);
}

test.each([
  [String.raw`client.headers = { x-a = "one\r\nx-b: two" }`, {}, 'the value of the header x-a'],
  ['client.headers = { x-a = "漢" }', {}, 'the value of the header x-a'],
  [String.raw`client.headers = { x-a = "a\u0000" }`, {}, 'the value of the header x-a'],
  ['client.headers = { "x a" = "1" }', {}, '"x a" is no name'],
  ['client.headers = { "é" = "1" }', {}, '"é" is no name'],
  ['client.headers = { "" = "1" }', {}, '"" is no name'],
  ['client.headers = { Content-Length = "5" }', {}, '"Content-Length" says how'],
  ['client.headers = { transfer-encoding = "chunked" }', {}, '"transfer-encoding" says how'],
  ['client.headers = { expect = "100-continue" }', {}, '"expect" says how'],
  ['client.headers_from_env = { x-a = "TEAM" }', { TEAM: 'sesame\n' }, 'the header x-a in TEAM'],
  ['client.api_key_var = "TEAM"', { TEAM: 'sesame\n' }, 'the key in TEAM'],
  ['client.api_key_var = "TEAM"', { TEAM: 'sesame漢' }, 'the key in TEAM'],
])('what no header can hold is named before anything is asked: %s', async (client, env, words) => {
  const error: unknown = await address(client, env).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'config/invalid' });
  expect(String(error)).toContain(words);
  expect(String(error)).not.toContain('sesame');
});

test('what a header can hold goes along', async () => {
  const client = [
    String.raw`client.headers = { x-a = "a\tb é", host = "other", Accept-Encoding = "gzip" }`,
    'client.headers_from_env = { x-b = "TEAM" }',
    'client.api_key_var = "KEY"',
  ].join('\n');
  expect(await address(client, { TEAM: 'sesame', KEY: 'k' })).toMatchObject({
    key: 'k',
    headers: { 'x-a': 'a\tb é', host: 'other', 'Accept-Encoding': 'gzip', 'x-b': 'sesame' },
  });
});
