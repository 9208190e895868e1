import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../src/index.ts';
import type { ResolvedConfig } from '../src/index.ts';

/** A config of one file, `a.toml`. */
async function resolve(text: string): Promise<ResolvedConfig> {
  const cwd = mkdtempSync(join(tmpdir(), 'vf-secrets-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a.toml'), text);
  return resolveConfig({ cwd, files: ['a.toml'], flags: [], userFile: null });
}

async function refusal(text: string): Promise<VfError> {
  const error: unknown = await resolve(text).catch((reason: unknown) => reason);
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error;
}

test.each([
  ['client.api_key_var = "sk-abcdefghijklmnop1234"', 'client.api_key_var'],
  ['harness.id = "x"\nharness.env = { OPENAI_API_KEY = "abcdef" }', 'harness.env.OPENAI_API_KEY'],
  ['client.headers_from_env = { x-api-key = "abcdef12" }', 'client.headers_from_env.x-api-key'],
  ['client.headers = { Authorization = "Bearer abcdefghijk" }', 'client.headers.Authorization'],
  ['taskset.id = "x"\ntaskset.password = "hunter2"', 'taskset.password'],
])('a literal secret is refused, and its value not repeated: %s', async (text, path) => {
  const error = await refusal(text);
  expect(error).toMatchObject({
    code: 'config/literal_secret',
    problems: [{ path, file: 'a.toml' }],
  });
  expect(JSON.stringify([error.message, error.hint, error.problems])).not.toMatch(
    /sk-abc|abcdef|hunter2/,
  );
});

test.each([
  [
    'client.api_key_var = { value = "sk-abcdefghijklmnop" }',
    'client.api_key_var.value',
    'client.api_key_var',
  ],
  ['client.replicas = ["http://u:hunter2@h"]', 'client.replicas.0', null],
  ['client.base_url = ["https://h?api_key=hunter2"]', 'client.base_url.0', 'client.base_url'],
  ['client = [{ token = "hunter2" }]', 'client.0.token', 'client'],
  ['taskset.id = "x"\ntaskset.keys = [["a"], ["Bearer hunter2hunter2"]]', 'taskset.keys.1.0', null],
])('a secret below a key, or in a list, is not repeated: %s', async (text, path, refused) => {
  const error = await refusal(text);
  expect(error.code).toBe('config/literal_secret');
  expect(error.problems.map((problem) => problem.path)).toEqual([
    path,
    ...(refused === null ? [] : [refused]),
  ]);
  expect(error.problems.every(({ line }) => line !== undefined)).toBe(true);
  expect(JSON.stringify([error.message, error.hint, error.problems])).not.toMatch(/sk-abc|hunter2/);
});

test.each([
  ['client.base_url = "htps://u:hunter2@h/v1"', 'client.base_url = "htps://…@h/v1"'],
  ['client.replicas = ["htps://u:hun@ter2@h"]', 'client.replicas.0 = "htps://…@h"'],
  ['client.base_url = "h:1/v1?api_key=hunter2&a=1"', 'client.base_url = "h:1/v1?api_key=…&a=1"'],
])('a URL of no known scheme is told without what it gives away: %s', async (text, path) => {
  const { problems } = await refusal(text);
  expect(problems).toEqual([
    {
      file: 'a.toml',
      line: 1,
      column: expect.any(Number) as number,
      path,
      message: 'expected a URL that begins with http:// or https://',
    },
  ]);
});

test.each([
  'limits.max_input_tokens = 5',
  'harness.id = "x"\nharness.env = { OPENAI_API_KEY = "{api_key}" }',
  'taskset.id = "x"\ntaskset.sort_key = "name"',
  'client.headers_from_env = { Authorization = "GATEWAY", x-api-key = "TEAM_KEY_2" }',
])('what only looks like a secret’s name is fine: %s', async (text) => {
  await expect(resolve(text)).resolves.toBeDefined();
});

test.each(['http://user:hunter2pass@127.0.0.1/v1', 'http://127.0.0.1/v1?api_key=hunter2pass'])(
  'a password in a URL is a literal secret: %s',
  async (url) => {
    const error = await refusal(`client.base_url = "${url}"`);
    expect(error.code).toBe('config/literal_secret');
    expect(JSON.stringify(error.problems)).not.toContain('hunter2');
  },
);
