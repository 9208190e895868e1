import { jsonSchemaOf } from '@vf/run/schema';
import type { JsonSchema } from '@vf/run/schema';
import { optionsOf } from './options-of.ts';

/** One option of a plugin as a person reads it. */
export interface OptionRow {
  /** As in a config file: `max_turns`. */
  readonly key: string;
  readonly type: string;
  /** Absent when there is none. */
  readonly default?: unknown;
  readonly required: boolean;
  readonly description: string;
}

/** A plugin's options as JSON Schema; null when it declares none, or none that can be told. */
export function optionsSchemaOf(plugin: unknown): JsonSchema | null {
  return jsonSchemaOf(optionsOf(plugin));
}

/** A plugin's options one by one, in the order of its schema. */
export function optionRows(plugin: unknown): OptionRow[] {
  const { properties = {}, required } = optionsSchemaOf(plugin) ?? {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, option]) => ({
    key: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type: typeOf(option),
    ...(option['default'] === undefined ? {} : { default: option['default'] }),
    required: needed.includes(name),
    description: option.description ?? '',
  }));
}

function typeOf(option: JsonSchema): string {
  const {
    enum: values,
    anyOf,
    type,
  } = option as {
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly JsonSchema[];
    readonly type?: string | readonly string[];
  };
  if (values !== undefined) return values.map(String).join('|');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join('|');
  return [type ?? 'value'].flat().join('|');
}
