import { resolveConfig } from '@vf/run';
import { expect, test } from 'vitest';
import { configFlags } from '../src/args/config-flags.ts';

function valueOf(name: string, text: string): unknown {
  return configFlags([{ name, text }])[0]?.value;
}

const settings = { name: 'qwen3', enable_thinking: false };
const tables: readonly (readonly [flag: string, text: string, value: unknown])[] = [
  ['client.renderer', '{"name": "qwen3", "enable_thinking": false}', settings],
  ['client.renderer', '{ name = "qwen3", enable_thinking = false }', settings],
  ['client.renderer', 'qwen3', 'qwen3'],
  ['sampling.chat-template-kwargs', '{"enable_thinking": false}', { enable_thinking: false }],
  ['sampling.logit-bias', '{"50256": -100}', { 50256: -100 }],
  ['client.headers', '{"x-team": "a"}', { 'x-team': 'a' }],
  [
    'retries.rules',
    '[{"code": "provider/*", "max_retries": 8}]',
    [{ code: 'provider/*', max_retries: 8 }],
  ],
  ['roles.judge.sampling.logit-bias', '{"1": 2}', { 1: 2 }],
];

test.each(tables)('--%s %s is a table, as TOML or as JSON', (flag, text, value) => {
  expect(valueOf(flag, text)).toEqual(value);
});

const texts: readonly (readonly [flag: string, text: string])[] = [
  ['taskset.prompt', '{"a": 1}'],
  ['harness.run', '{"a": 1}'],
  ['roles.judge.harness.settings', '{"a": 1}'],
  ['task', '[ab]*'],
  ['sampling.guided-regex', '[a-z]+'],
  ['sampling.stop', '{'],
  ['client.renderer', '{name: qwen3}'],
];

test.each(texts)('--%s %s stays a text', (flag, text) => {
  const value = valueOf(flag, text);
  expect(flag === 'task' ? value : [value]).toEqual([text]);
});

/** Whose keys hold text, whatever it looks like. */
const typed: readonly (readonly [flag: string, text: string])[] = [
  ['client.headers.X-Meta', '{"a":1}'],
  ['client.headers.X-Meta', '{"a":{"b":[1]},"c":2}'],
  ['client.headers.X-Meta', '{ a = 1 }'],
  ['client.headers.X-Meta', '[{"a":1}]'],
  ['client.headers.X-Meta', '{}'],
  ['providers.local.headers.X-Meta', '{"a":1}'],
  ['roles.judge.client.headers.X-Meta', '{"a":1}'],
  ['sampling.reasoning_effort', '{"a":1}'],
  ['sampling.stop', '{"x":1}'],
  ['roles.judge.sampling.stop', '[{"x":1}]'],
];

test.each(typed)('--%s %s is sent as it was typed', async (name, text) => {
  const flags = configFlags([
    { name: 'providers.local.base-url', text: 'http://127.0.0.1:1/v1' },
    { name: 'providers.local.dialects', text: '["chat-completions"]' },
    { name, text },
  ]);
  const resolved = await resolveConfig({ cwd: '/', files: [], flags, userFile: null });
  const path = name.split('.');
  expect(resolved.tree).toHaveProperty(path, text);
  expect(resolved.paths.filter((one) => one.startsWith(name))).toEqual([name]);
  expect(resolved.sourceOf(name)).toBe(`--${name}`);
});

test('what a header is given as JSON is looked at for secrets like any text', async () => {
  const flags = configFlags([
    { name: 'client.headers.Authorization', text: '{"a":"hunter2pass"}' },
  ]);
  const resolving = resolveConfig({ cwd: '/', files: [], flags, userFile: null });
  await expect(resolving).rejects.toMatchObject({
    code: 'config/literal_secret',
    problems: [{ file: '--client.headers.Authorization', path: 'client.headers.Authorization' }],
  });
});

test('a table of texts in a flag is no text itself', async () => {
  const flags = configFlags([{ name: 'client.headers', text: '{"x": {"a": 1}}' }]);
  const resolving = resolveConfig({ cwd: '/', files: [], flags, userFile: null });
  await expect(resolving).rejects.toMatchObject({
    code: 'config/invalid',
    problems: [{ path: 'client.headers.x = {"a":1}', message: 'expected text' }],
  });
});
