import type { AnyHookFunction } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import { importSource } from '@vf/plugin-host';

/** Imports `path#export`; without `#export` the default export. @throws VfError plugin/load_failed */
export async function importFunction<Result>(reference: string): Promise<AnyHookFunction<Result>> {
  const [path = '', name = 'default'] = reference.split('#');
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importSource(path);
  } catch (error) {
    throw toVfError(error, 'plugin/load_failed', path);
  }
  const fn = module[name];
  if (typeof fn === 'function') return fn as AnyHookFunction<Result>;
  const names = Object.keys(module).join(', ') || 'nothing';
  throw new VfError(
    'plugin/load_failed',
    `${path} exports no function ${name}; it exports ${names}`,
    { hint: 'name one of its functions: fn = "./scores.ts#terse"' },
  );
}
