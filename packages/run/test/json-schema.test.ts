import { z } from '@vf/core';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../src/config/schema.ts';
import { configJsonSchema, jsonSchemaOf } from '../src/config/json-schema/config-json-schema.ts';
import { keyDescriptions } from '../src/config/json-schema/describe-keys.ts';
import type { JsonSchema, PluginOptions } from '../src/config/json-schema/config-json-schema.ts';

const claudeCode = z.strictObject({
  maxThinking: z.int().default(0).describe('tokens of thinking'),
  limits: z.strictObject({ maxSteps: z.int() }).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

const plugins: readonly PluginOptions[] = [
  plugin('harness', 'claude-code', claudeCode),
  plugin('harness', 'open', z.looseObject({ depth: z.int() })),
  plugin('harness', 'odd', z.record(z.string(), z.int())),
  plugin('taskset', 'sums', z.object({ count: z.int().positive() })),
];

function plugin(kind: 'harness' | 'taskset', id: string, config: z.ZodType): PluginOptions {
  return { kind, id, package: `@vf/${kind}-${id}`, summary: id, options: jsonSchemaOf(config) };
}

const schema = configJsonSchema(plugins);
const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(schema);

/** Where a TOML text does not fit; empty when it does. */
function misfits(toml: string): string[] {
  validate(JSON.parse(JSON.stringify(parse(toml))));
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, params }) =>
      [instancePath, params['additionalProperty']].filter(Boolean).join(' '),
    );
}

describe('takes', () => {
  test.each([
    'model = "gpt-5.2"\nmax-concurrent = 4\noutput_dir = "x"',
    'harness = { id = "claude-code", max_thinking = 3, version = "1", env = { A = "b" } }',
    'harness = { id = "claude_code@2.1.0", max-thinking = 3, limits = { max-steps = 1 } }',
    'harness = { id = "@vf/harness-claude-code#claude-code", max_thinking = 3 }',
    'harness = { id = "open", anything = true }',
    'harness = { id = "odd", anything = true }',
    'harness = { id = "./mine.ts", anything = true }',
    'taskset = { count = 3 }',
    'timeout = { rollout = "20m", boot = 90 }\nbudget.time = "1h"',
    'gate.max_unscored = "1%"\nretries.rules = [{ code = "provider/*", max_retries = 8 }]',
    'sampling = { temperature = 1.0, min_p = 0.1 }\nprices."gpt-5.2" = { input = 1, output = 2 }',
    'num_rollouts = 4\nrun.name = "x"\nselect.limit = 3\npush = false\nrich = true',
    'runtime.type = "docker"\n[env.agent.harness]\nid = "claude_code"\n[env.taskset]\nid = "sums"',
    'roles.judge = { model = "m", harness = { id = "claude-code", max_thinking = 1 } }',
  ])('%s', (toml) => {
    expect(misfits(toml)).toEqual([]);
  });
});

describe('refuses', () => {
  test.each([
    ['modle = "x"', ' modle'],
    ['model = 7', '/model'],
    ['sampling.temperature = "hot"', '/sampling/temperature'],
    ['limits.max_turn = 3', '/limits max_turn'],
    ['runtime.keep = "always"', '/runtime/keep'],
    ['harness = { id = "claude-code", max_thnking = 3 }', '/harness max_thnking'],
    ['harness = { id = "claude-code", max_thinking = "far" }', '/harness/max_thinking'],
    ['harness = { id = "claude-code", limits = { max_step = 1 } }', '/harness/limits max_step'],
    ['taskset = { id = "sums", count = 0 }', '/taskset/count'],
    ['taskset = { id = "sums", cuont = 1 }', '/taskset cuont'],
    ['roles.judge.harness = { id = "claude-code", far = 1 }', '/roles/judge/harness far'],
    ['roles.judge.rewards = {}', '/roles/judge rewards'],
    ['push = true', '/push'],
    ['client.base_url = "not a url"', '/client/base_url'],
  ])('%s', (toml, place) => {
    expect(misfits(toml)).toContain(place.trim());
  });
});

test('offers installed ids with what they are, and options of all with whose they are', () => {
  const { harness } = schema['definitions'] as Record<string, JsonSchema>;
  const { id, max_thinking: option } = harness?.properties ?? {};
  expect(id?.['anyOf']).toEqual(
    expect.arrayContaining([{ const: 'claude-code', description: 'claude-code' }]),
  );
  expect(option).toEqual({ description: 'claude-code: tokens of thinking' });
});

test('says of each table what it is for, and of no key that there is not', () => {
  const described = new Set(Object.keys(keyDescriptions));
  const { properties = {} } = jsonSchemaOf(configSchema) ?? {};
  expect(Object.keys(properties).filter((key) => !described.has(key))).toEqual([]);
  const real = Object.entries(properties).flatMap(([key, inner]) => [
    key,
    ...Object.keys(inner.properties ?? {}).map((name) => `${key}.${name}`),
  ]);
  expect([...described].filter((path) => !real.includes(path))).toEqual([]);
});
