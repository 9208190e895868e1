import { VfError } from '@vf/core/errors';
import type { PluginKind } from '@vf/core';
import { z } from '@vf/core';
import { parseCommandLine } from '../args/parse-args.ts';
import { pluginHost } from '../plugin-host.ts';
import { oneLine } from '../screen/one-line.ts';

/** Options of the taskset, harness and runtime that a command line names; empty when it names none. */
export async function pluginOptionsText(argv: readonly string[]): Promise<string> {
  const { positionals, raw } = parseCommandLine(argv, {
    booleans: ['help'],
    values: [],
    config: true,
  });
  const flag = (name: string): string | undefined =>
    raw.findLast((given) => given.name === name || given.name === `${name}.id`)?.text ?? undefined;
  const named: readonly (readonly [PluginKind, string | undefined])[] = [
    ['taskset', positionals[0] ?? flag('taskset')],
    ['harness', flag('harness')?.replace(/(?<=.)@[^@/]*$/, '')],
    ['runtime', flag('runtime')],
  ];
  const texts: string[] = [];
  for (const [kind, ref] of named) if (ref !== undefined) texts.push(await optionsOf(kind, ref));
  return texts.join('\n\n');
}

async function optionsOf(kind: PluginKind, ref: string): Promise<string> {
  try {
    const { value } = await pluginHost(process.cwd()).load(kind, ref, new AbortController().signal);
    const rows = describe(kind, configOf(value));
    return [`Options of ${kind} ${ref}:`, ...(rows.length === 0 ? ['  none'] : rows)].join('\n');
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    return `Options of ${kind} ${ref}: ${error.message}`;
  }
}

/** A taskset and a harness carry theirs in `spec`, a runtime has it itself. */
function configOf(plugin: unknown): unknown {
  const { spec, config } = plugin as {
    readonly spec?: { readonly config?: unknown };
    readonly config?: unknown;
  };
  return spec?.config ?? config;
}

interface OptionSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
}

function describe(kind: string, schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    readonly properties?: Readonly<Record<string, OptionSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([key, option]) => {
    const flag = `--${kind}.${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const type = option.enum?.map(String).join('|') ?? [option.type ?? 'value'].flat().join('|');
    const notes = [
      ...(option.default === undefined
        ? []
        : [`default ${oneLine(JSON.stringify(option.default), 60)}`]),
      ...(required.includes(key) ? ['required'] : []),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    return `  ${`${flag} ${type}`.padEnd(34)}  ${option.description ?? ''}${note}`.trimEnd();
  });
}
