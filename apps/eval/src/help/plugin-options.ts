import { VfError } from '@vf/core/errors';
import type { PluginKind } from '@vf/core';
import { parseCommandLine } from '../args/parse-args.ts';
import { pluginHost } from '../plugin-host.ts';
import { optionRows } from '../plugins/options.ts';
import type { OptionRow } from '../plugins/options.ts';
import { oneLine } from '../screen/one-line.ts';

/**
 * Options of the taskset, harness and runtime that a command line names, or of the form that an export is written in;
 * empty when it names none.
 */
export async function pluginOptionsText(argv: readonly string[], command: string): Promise<string> {
  const { positionals, raw } = parseCommandLine(argv, {
    booleans: ['help'],
    values: [],
    config: true,
  });
  const flag = (name: string): string | undefined =>
    raw.findLast((given) => given.name === name || given.name === `${name}.id`)?.text ?? undefined;
  const named: readonly (readonly [PluginKind, string | undefined])[] =
    command === 'export'
      ? [['export', flag('to')]]
      : [
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
    return [`Options of ${kind} ${ref}:`, ...optionLines(kind, optionRows(value))].join('\n');
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    return `Options of ${kind} ${ref}: ${error.message}`;
  }
}

/** A line for each option, as the flag that sets it. */
export function optionLines(kind: PluginKind, rows: readonly OptionRow[]): string[] {
  if (rows.length === 0) return ['  none'];
  return rows.map(({ key, type, required, description, ...row }) => {
    const flag = `--${kind}.${key.replaceAll('_', '-')} ${type}`;
    const notes = [
      ...('default' in row ? [`default ${oneLine(JSON.stringify(row.default), 60)}`] : []),
      ...(required ? ['required'] : []),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    return `  ${flag.padEnd(34)}  ${description}${note}`.trimEnd();
  });
}
