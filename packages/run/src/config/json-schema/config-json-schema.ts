import { z } from '@vf/core';
import { configSchema } from '../schema.ts';
import { describeKeys } from './describe-keys.ts';
import { isObjectSchema } from './json.ts';
import type { JsonSchema, ObjectSchema } from './json.ts';
import { pluginTable, pluginTables } from './plugin-table.ts';
import type { PluginOptions, PluginTableName } from './plugin-table.ts';
import { withKebab } from './spellings.ts';

export type { JsonSchema } from './json.ts';
export type { PluginOptions } from './plugin-table.ts';
export { pluginTables } from './plugin-table.ts';

/**
 * JSON Schema (draft 7, which TOML editors know) of a config file, with the options of the plugins given.
 * What vf refuses only in a whole plan (a missing taskset, a misfit) is not in it: a file may be one of several layers.
 */
export function configJsonSchema(plugins: readonly PluginOptions[]): JsonSchema {
  const config = describeKeys(jsonSchemaOf(configSchema) ?? {});
  if (!isObjectSchema(config)) throw new TypeError('the config is an object');
  const tables = Object.fromEntries(
    pluginTables.map((name) => [
      name,
      withKebab(
        pluginTable(
          objectAt(config, name),
          plugins.filter(({ kind }) => kind === name),
        ),
      ),
    ]),
  ) as Record<PluginTableName, JsonSchema>;
  const { properties, ...rest } = withKebab(
    withVerifiersKeys({ ...config, properties: { ...config.properties, ...references() } }),
  ) as ObjectSchema;
  const { roles = {} } = properties;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'vf:config',
    title: 'Config of vf',
    ...rest,
    properties: { ...properties, roles: withTables(roles) },
    definitions: tables,
  };
}

/** Every key that is no name of the user's, as `limits.max_turns`, with what it is for ('' when its name says it). */
export function configKeys(): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (schema: JsonSchema, path: string): void => {
    if (path !== '') found.set(path, schema.description ?? '');
    for (const [key, inner] of Object.entries(schema.properties ?? {}))
      visit(inner, path === '' ? key : `${path}.${key}`);
  };
  visit(describeKeys(jsonSchemaOf(configSchema) ?? {}), '');
  return found;
}

/**
 * What a zod schema takes, as JSON Schema; null when it cannot be told. What it cannot say (a function, a check of the
 * author's) is left out.
 */
export function jsonSchemaOf(schema: unknown): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null;
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  // A copy without what zod adds to it that is no JSON.
  return JSON.parse(JSON.stringify(rest)) as JsonSchema;
}

function references(): Record<PluginTableName, JsonSchema> {
  const entries = pluginTables.map((name) => [name, { $ref: `#/definitions/${name}` }]);
  return Object.fromEntries(entries) as Record<PluginTableName, JsonSchema>;
}

/** A role's harness and runtime are tables like the run's. */
function withTables(roles: JsonSchema): JsonSchema {
  const role = roles['additionalProperties'] as ObjectSchema;
  const { harness, runtime } = references();
  const properties = { ...role.properties, harness, runtime };
  return { ...roles, additionalProperties: withKebab({ ...role, properties }) };
}

/** Spellings of verifiers configs, taken as they are and offered to nobody who does not ask. */
function withVerifiersKeys(config: ObjectSchema): ObjectSchema {
  const {
    rollouts_per_example: attempts = {},
    num_examples: count = {},
    run = {},
  } = config.properties;
  const select = objectAt(config, 'select');
  const alias = (schema: JsonSchema, name: string): JsonSchema => ({
    ...schema,
    description: `The same as ${name}`,
  });
  return {
    ...config,
    properties: {
      ...config.properties,
      select: {
        ...select,
        properties: { ...select.properties, limit: alias(count, 'num_examples') },
      },
      run: { anyOf: [run, { type: 'object', properties: { name: alias(run, 'run') } }] },
      num_rollouts: alias(attempts, 'rollouts_per_example'),
      group_size: alias(attempts, 'rollouts_per_example'),
      env: { type: 'object', description: 'Keys of a verifiers config' },
      push: { const: false, description: 'Has no effect' },
      rich: { type: 'boolean', description: 'Has no effect' },
    },
  };
}

function objectAt(schema: ObjectSchema, key: string): ObjectSchema {
  const inner = schema.properties[key];
  if (inner === undefined || !isObjectSchema(inner)) throw new TypeError(`${key} is an object`);
  return inner;
}
