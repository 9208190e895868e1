import { VfError } from '@vf/core/errors';

/** How a package is called that brings a plugin. */
export interface PluginName {
  /** What a config says: `sums`. */
  readonly id: string;
  /** `vf-taskset-sums` or `@acme/vf-taskset-sums`. */
  readonly package: string;
  /** `vf-taskset-sums` */
  readonly folder: string;
}

// npm's rules for new packages, less what a plugin's id may not have either.
const part = /^[a-z0-9][a-z0-9._-]*$/;
const longestName = 214;

/**
 * `sums`, `@acme/sums` and `@acme/vf-taskset-sums` as names of a package and its plugin.
 * @throws VfError usage/invalid
 */
export function pluginName(kind: string, name: string): PluginName {
  const [, scope, bare = ''] = /^(?:(@[^/]*)\/)?(.*)$/s.exec(name) ?? [];
  const prefix = `vf-${kind}-`;
  const id = bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
  const folder = `${prefix}${id}`;
  const whole = scope === undefined ? folder : `${scope}/${folder}`;
  const isScope = scope === undefined || part.test(scope.slice(1));
  if (isScope && part.test(id) && whole.length <= longestName)
    return { id, package: whole, folder };
  throw new VfError('usage/invalid', `"${name}" cannot be the name of a package`, {
    hint: `lower-case letters, digits, ".", "_" and "-", with a scope or without: vf init ${kind} ${suggestion(name, kind)}`,
  });
}

function suggestion(name: string, kind: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return plain === '' ? `my-${kind}` : plain.slice(0, 100);
}
