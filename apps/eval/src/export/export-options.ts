import type { Export } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { optionValue, parseOptions, readConfigFile } from '@vf/run';
import { configFlags } from '../args/config-flags.ts';
import type { ParsedArgs } from '../args/parse-args.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * Options of an export plugin: the `[export]` tables of `@` files from left to right, then `--export.NAME` flags.
 * @throws VfError usage/invalid for another flag, config/invalid naming every option that does not fit
 */
export async function exportOptions(plugin: Export, id: string, args: ParsedArgs): Promise<Tree> {
  let options: Tree = {};
  for (const file of args.files) {
    const { tree } = await readConfigFile(file, file);
    if (isTree(tree['export'])) options = merged(options, tree['export']);
  }
  for (const given of configFlags(args.raw)) {
    const { flag, path } = given;
    const [table, ...keys] = path;
    if (table !== 'export' || keys.length === 0) {
      throw new VfError('usage/invalid', `unknown flag ${flag}`, {
        hint: `options of the export are --export.NAME: vf export --to ${id} --help`,
      });
    }
    const value =
      plugin.config === undefined ? given.value : optionValue(plugin.config, keys, given);
    options = merged(options, treeOf(keys, value));
  }
  const { value, problems } = parseOptions(plugin.config, options, `export ${id}`, 'export');
  if (problems.length === 0) return value;
  throw new VfError('config/invalid', `options of export ${id}`, {
    problems,
    hint: `vf export --to ${id} --help lists them; @ FILE takes them from its [export] table`,
  });
}

function treeOf(keys: readonly string[], value: unknown): Tree {
  const [first = '', ...rest] = keys;
  const key = first.replaceAll('-', '_');
  return { [key]: rest.length === 0 ? value : treeOf(rest, value) };
}

function merged(under: Tree, over: Tree): Tree {
  const entries = Object.entries(over).map(([key, value]) => {
    const below = under[key];
    return [key, isTree(below) && isTree(value) ? merged(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(entries) };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
