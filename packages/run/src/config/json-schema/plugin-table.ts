import { snakeKeys, withKebab } from './spellings.ts';
import { isObjectSchema } from './json.ts';
import type { JsonSchema, ObjectSchema } from './json.ts';

/** The tables of the config that name a plugin. */
export const pluginTables = ['taskset', 'harness', 'runtime', 'environment'] as const;
export type PluginTableName = (typeof pluginTables)[number];

/** An installed plugin and its options. */
export interface PluginOptions {
  readonly kind: PluginTableName;
  readonly id: string;
  readonly package: string;
  readonly summary: string;
  /** JSON Schema of its options under the schema's own names; null when it cannot be told. */
  readonly options: JsonSchema | null;
}

/**
 * A plugin's table with the installed ids, and under each of them that plugin's options alone. The table offers the
 * options of all of them as well: some editors complete from `properties` only and look at no condition.
 */
export function pluginTable(table: ObjectSchema, plugins: readonly PluginOptions[]): JsonSchema {
  const { required: _required, ...rest } = table;
  const own = table.properties;
  const optionsOf = plugins.map((plugin) => ({ plugin, options: optionSchema(plugin) }));
  const offered = optionsOf.flatMap(({ plugin, options }) =>
    Object.entries(options?.properties ?? {}).map(
      ([key, { description }]) =>
        [key, `${plugin.id}: ${description ?? 'an option of it'}`] as const,
    ),
  );
  const conditions = optionsOf.flatMap(({ plugin, options }) =>
    options === null ? [] : [conditional(plugin, own, options)],
  );
  return {
    ...rest,
    properties: { ...byKey(offered), ...own, id: idSchema(own['id'] ?? {}, plugins) },
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  };
}

/** Options of several plugins by name, with a line for each plugin that has one. */
function byKey(offered: readonly (readonly [string, string])[]): Record<string, JsonSchema> {
  const lines = Map.groupBy(offered, ([key]) => key);
  return Object.fromEntries(
    [...lines].map(([key, named]) => [
      key,
      { description: named.map(([, line]) => line).join('\n') },
    ]),
  );
}

function idSchema(own: JsonSchema, plugins: readonly PluginOptions[]): JsonSchema {
  const known = plugins.map(({ id, summary }) => ({ const: id, description: summary }));
  return { ...own, anyOf: [...known, own] };
}

function conditional(
  plugin: PluginOptions,
  own: ObjectSchema['properties'],
  options: ObjectSchema,
): JsonSchema {
  return {
    if: { properties: { id: { pattern: refPattern(plugin) } }, required: ['id'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: withKebab({ ...options, properties: { ...options.properties, ...anything(own) } }),
  };
}

/** The table's own keys, which are checked where they stand. */
function anything(own: ObjectSchema['properties']): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(own).map((key) => [key, {}]));
}

/** Every way to name it: `codex`, `codex@0.116.0`, `claude_code`, `@vf/harness-codex#codex`. */
function refPattern({ id, package: name }: PluginOptions): string {
  const spelt = escaped(id).replaceAll('-', '[-_]');
  return `^(?:${escaped(name)}#)?${spelt}(?:@[^/#]+)?$`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Options as written in the config; null when they are no plain object, which then may hold anything. */
function optionSchema({ options }: PluginOptions): ObjectSchema | null {
  if (options === null) return null;
  const snake = snakeKeys(options);
  return isObjectSchema(snake) ? { ...snake, additionalProperties: isOpen(options) } : null;
}

/** vf refuses an option that the schema does not name, unless it says that it takes others. */
function isOpen({ additionalProperties: others }: JsonSchema): boolean {
  return others !== undefined && others !== false;
}
