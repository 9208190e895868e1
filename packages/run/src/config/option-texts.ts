import type { FlagValue, OptionsOf } from './config-inputs.ts';
import { optionValue } from './plugin-options.ts';
import type { Written } from './source.ts';
import { canonicalPath } from './spellings.ts';
import { withValue } from './text-flags.ts';
import { getAt, treeOf } from './tree.ts';

type Values = ReadonlyMap<string, Written>;
type Kind = Parameters<OptionsOf>[0];

/** A flag that sets an option of a plugin. */
interface OptionFlag {
  readonly kind: Kind;
  /** `roles.judge.harness` */
  readonly table: readonly string[];
  /** Within the table, as spelt. */
  readonly option: readonly string[];
}

/** The values with the text as typed where a flag sets an option that holds text: `--taskset.split 2024`. */
export async function withOptionTexts(
  values: Values,
  flags: readonly FlagValue[],
  optionsOf: OptionsOf | undefined,
): Promise<Values> {
  if (optionsOf === undefined) return values;
  let found = values;
  for (const flag of flags) {
    const path = canonicalPath(flag.path);
    const set = looksLikeAnother(flag) ? optionFlag(path) : null;
    // Another plugin that is named later drops the options of the one before.
    if (set === null || getAt(treeOf(found), path) === undefined) continue;
    for (const id of idsOf(set, found)) {
      const schema = await optionsOf(set.kind, id);
      const value = schema === undefined ? flag.value : optionValue(schema, set.option, flag);
      if (value !== flag.value) found = withValue(found, path, value, flag);
    }
  }
  return found;
}

/** Text that was read as a number, a list and the like. */
function looksLikeAnother({ value, text, texts }: FlagValue): boolean {
  return texts === undefined
    ? text !== null && value !== undefined && typeof value !== 'string'
    : texts.some((one, i) => one !== null && one !== (value as readonly unknown[])[i]);
}

const kinds: readonly Kind[] = ['taskset', 'harness', 'runtime', 'environment'];

function optionFlag(path: readonly string[]): OptionFlag | null {
  const depth = path[0] === 'roles' ? 3 : 1;
  const kind = kinds.find((known) => known === path[depth - 1]);
  const option = path.slice(depth);
  return kind === undefined || option.length === 0
    ? null
    : { kind, table: path.slice(0, depth), option };
}

/** Without one that is named: those that it may come to be. */
function idsOf({ kind, table }: OptionFlag, values: Values): readonly string[] {
  const id = getAt(treeOf(values), [...table, 'id']);
  if (typeof id === 'string') return id === 'single' && kind === 'environment' ? [] : [id];
  return kind === 'runtime' ? ['subprocess', 'docker'] : kind === 'harness' ? ['null'] : [];
}
