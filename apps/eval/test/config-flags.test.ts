import { z } from '@vf/core';
import { parseOptions, resolveConfig } from '@vf/run';
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
const asTyped: readonly (readonly [flag: string, text: string])[] = [
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

test.each(asTyped)('--%s %s is sent as it was typed', async (name, text) => {
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

const options = z.strictObject({
  split: z.string().optional(),
  level: z.enum(['1', '2']).optional(),
  dataRevision: z.string().regex(/^\d/).optional(),
  size: z.number().optional(),
  either: z.union([z.number(), z.string()]).optional(),
  names: z.array(z.string()).default([]),
  sizes: z.array(z.number()).optional(),
  inner: z.strictObject({ tagName: z.string() }).optional(),
  env: z.record(z.string(), z.string()).optional(),
  oneOrMore: z.union([z.string(), z.array(z.string())]).optional(),
  joined: z
    .array(z.string())
    .transform((all) => all.join('+'))
    .optional(),
});

type Typed = readonly (readonly [name: string, text: string | null])[];

function resolveFlags(typed: Typed) {
  const flags = configFlags(typed.map(([name, text]) => ({ name, text })));
  const optionsOf = (kind: string) => Promise.resolve(kind === 'taskset' ? options : undefined);
  return resolveConfig({ cwd: '/', files: [], flags, userFile: null, optionsOf });
}

const ofPlugins: readonly (readonly [typed: Typed, value: object])[] = [
  [[['taskset.split', '2024']], { split: '2024' }],
  [[['taskset.split', '1.0']], { split: '1.0' }],
  [[['taskset.split', 'true']], { split: 'true' }],
  [[['taskset.split', '2024-01-01']], { split: '2024-01-01' }],
  [[['taskset.split', '{a = {b = 1}}']], { split: '{a = {b = 1}}' }],
  [[['taskset.split', '"2024"']], { split: '2024' }],
  [[['taskset.level', '2']], { level: '2' }],
  [[['taskset.data-revision', '1_0']], { dataRevision: '1_0' }],
  [[['taskset.size', '1.0']], { size: 1 }],
  [[['taskset.either', '1']], { either: 1 }],
  [[['taskset.names', '7']], { names: ['7'] }],
  [[['taskset.sizes', '7']], { sizes: [7] }],
  [
    [
      ['taskset.names', '7'],
      ['taskset.names', 'a'],
      ['taskset.names', '1.0'],
    ],
    { names: ['7', 'a', '1.0'] },
  ],
  [[['taskset.inner.tag-name', '7']], { inner: { tagName: '7' } }],
  [[['taskset.one-or-more', '7']], { oneOrMore: '7' }],
  [
    [
      ['taskset.one-or-more', '7'],
      ['taskset.one-or-more', '1.0'],
    ],
    { oneOrMore: ['7', '1.0'] },
  ],
  [[['taskset.joined', '7']], { joined: '7' }],
  [
    [
      ['taskset.joined', '7'],
      ['taskset.joined', '08'],
    ],
    { joined: '7+08' },
  ],
  [[['taskset.env.MY_PORT', '8080']], { env: { MY_PORT: '8080' } }],
];

test.each(ofPlugins)(
  'an option of a plugin that holds text is what was typed: %j',
  async (typed, value) => {
    const { config } = await resolveFlags([['taskset', 't'], ...typed]);
    expect(parseOptions(options, config.taskset?.options ?? {}, 'taskset t', 'taskset')).toEqual({
      value: { names: [], ...value },
      problems: [],
    });
  },
);

const refusedOptions: readonly (readonly [typed: Typed, path: string])[] = [
  [[['taskset.size', 'true']], 'taskset.size'],
  [[['taskset.level', '3']], 'taskset.level'],
  // A list that was typed as one has the types that were typed.
  [[['taskset.names', '[7]']], 'taskset.names.0'],
  [
    [
      ['taskset.split', '1'],
      ['taskset.split', '2'],
    ],
    'taskset.split',
  ],
];

test.each(refusedOptions)('%j is refused', async (typed, path) => {
  const { config } = await resolveFlags([['taskset', 't'], ...typed]);
  const parsed = parseOptions(options, config.taskset?.options ?? {}, 'taskset t', 'taskset');
  expect(parsed.problems.map((problem) => problem.path)).toEqual([path]);
});

test('what is kept of a run is the text, so that it can go on', async () => {
  const { tree, paths, sourceOf } = await resolveFlags([
    ['taskset', 't'],
    ['taskset.split', '{a = {b = 1}}'],
  ]);
  expect(tree['taskset']).toEqual({ id: 't', split: '{a = {b = 1}}' });
  expect(paths).toEqual(['taskset.id', 'taskset.split']);
  expect(sourceOf('taskset.split')).toBe('--taskset.split');
});

test('an option of a plugin that is named away is asked of nobody', async () => {
  const { tree } = await resolveFlags([
    ['taskset', 't'],
    ['taskset.split', '7'],
    ['roles.a.harness.id', 'x'],
    ['roles.a.harness.level', '7'],
  ]);
  expect(tree).toMatchObject({ taskset: { split: '7' }, roles: { a: { harness: { level: 7 } } } });
});

const ofOurs: readonly (readonly [typed: Typed, path: string, value: unknown])[] = [
  [[['model', '4']], 'model', '4'],
  [[['harness.version', '1.0']], 'harness.version', '1.0'],
  [[['harness.env.PORT', '8080']], 'harness.env.PORT', '8080'],
  [[['task', '7']], 'select.include', ['7']],
  [
    [
      ['task', '7'],
      ['task', 'a'],
      ['task', '08'],
    ],
    'select.include',
    ['7', 'a', '08'],
  ],
  [[['sampling.stop', '1']], 'sampling.stop', '1'],
  [
    [
      ['sampling.stop', '1'],
      ['sampling.stop', '1.0'],
    ],
    'sampling.stop',
    ['1', '1.0'],
  ],
  [[['gate.max_unscored', '2']], 'gate.max_unscored', 2],
];

test.each(ofOurs)(
  'a key of the config that holds text is what was typed: %j',
  async (typed, path, value) => {
    expect((await resolveFlags(typed)).tree).toHaveProperty(path, value);
  },
);

test('a list that was typed as one keeps the types of its elements', async () => {
  await expect(resolveFlags([['task', '[7]']])).rejects.toMatchObject({ code: 'config/invalid' });
});
