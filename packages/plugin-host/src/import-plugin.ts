import { existsSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginKind } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { exports as resolveExports } from 'resolve.exports';
import type { PluginPackage } from './manifests.ts';
import { refuseFolder } from './refuse-folder.ts';
import { importSource } from './source-hook.ts';

/** Imports a contribution's entry and checks that it is what its manifest says. @throws VfError plugin/load_failed */
export async function importFromPackage(
  plugin: PluginPackage,
  entry: string,
  kind: PluginKind,
  id: string,
): Promise<unknown> {
  const where = `${plugin.name}@${plugin.version}`;
  const target = entryFile(plugin, entry);
  if (target === null)
    throw new VfError('plugin/load_failed', `${where} exports nothing at ${entry}`, {
      hint: `mend "exports" in ${join(plugin.dir, 'package.json')}`,
    });
  return checked(await importFile(join(plugin.dir, target), where), kind, id, where);
}

/** Imports a plugin given as a path; its id is the file's name. */
export async function importFromPath(
  path: string,
  cwd: string,
  vfDir: string,
  kind: PluginKind,
): Promise<{ readonly id: string; readonly value: unknown }> {
  const file = resolve(cwd, path);
  if (!existsSync(file))
    throw new VfError('plugin/unknown', `there is no file ${file}`, {
      hint: `give the path of a module whose default export is a ${kind}`,
    });
  refuseFolder(file, path, kind);
  const id = basename(file, extname(file));
  return { id, value: checked(await importFile(file, file, vfDir), kind, null, file) };
}

async function importFile(
  file: string,
  where: string,
  vfDir: string | null = null,
): Promise<unknown> {
  try {
    const module = (await (vfDir === null
      ? import(pathToFileURL(file).href)
      : importSource(file, vfDir))) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Only here: what starts in a tenth of a second should not load the trace's code for it.
    const { thrownAt } = await import('@vf/core/trace');
    const place = error instanceof Error ? thrownAt(String(error.stack)) : null;
    const what = `${where} could not be imported${place === null ? '' : `, at ${place}`}`;
    const hint = importHint(error, message, file, place);
    throw new VfError('plugin/load_failed', `${what}: ${message}`, {
      cause: error,
      ...(hint === null ? {} : { hint }),
    });
  }
}

function importHint(
  error: unknown,
  message: string,
  file: string,
  place: string | null,
): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (isModuleSyntax(message))
    return `call it ${basename(file, extname(file))}.mjs, or set "type": "module" in its package.json`;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node takes types away and no more: write it without enum, namespace and parameter properties';
  if (code === 'ERR_MODULE_NOT_FOUND') return 'mend the import, or install the package';
  if (place !== null) return 'mend the file there';
  return error instanceof SyntaxError ? `node --check ${file} shows the line` : null;
}

/** What Node says of an ES module in a file that the package.json around it makes CommonJS. */
function isModuleSyntax(message: string): boolean {
  return /import statement outside a module|Unexpected token 'export'/.test(message);
}

function entryFile({ pkg }: PluginPackage, entry: string): string | null {
  try {
    const [target] =
      resolveExports({ name: pkg.name ?? '', ...pkg }, entry, {
        unsafe: true,
        conditions: [...customConditions(), 'node', 'import', 'default'],
      }) ?? [];
    return target ?? null;
  } catch {
    return null;
  }
}

/** Conditions that this process was started with: in vf's own repository packages run from source. */
function customConditions(): string[] {
  const flags = process.execArgv;
  return flags.flatMap((flag, i) => {
    if (flag.startsWith('--conditions=')) return [flag.slice('--conditions='.length)];
    return flag === '--conditions' || flag === '-C' ? [flags[i + 1] ?? ''] : [];
  });
}

const supportedRevision = 1;

interface Claims {
  readonly kind?: unknown;
  readonly specVersion?: unknown;
  readonly id?: unknown;
}

/** What a plugin says of itself; anything but an object says nothing. */
function claimsOf(value: unknown): Claims {
  return typeof value === 'object' && value !== null ? value : {};
}

function checked(value: unknown, kind: PluginKind, id: string | null, where: string): unknown {
  const plugin = claimsOf(value);
  if (plugin.kind !== kind) {
    const got = typeof plugin.kind === 'string' ? `a ${plugin.kind}` : 'no plugin';
    throw new VfError(
      'plugin/load_failed',
      `the default export of ${where} is ${got}, not a ${kind}`,
      { hint: `export default define${kind[0]?.toUpperCase()}${kind.slice(1)}({ … })` },
    );
  }
  if (plugin.specVersion !== supportedRevision) {
    throw new VfError(
      'plugin/wrong_version',
      `${where} follows revision ${typeof plugin.specVersion === 'number' ? plugin.specVersion : 'none'} of the ${kind} contract; this vf knows ${supportedRevision}`,
      { hint: 'install a version of it that fits, or another vf' },
    );
  }
  if (id !== null && typeof plugin.id === 'string' && plugin.id !== id) {
    throw new VfError(
      'plugin/load_failed',
      `${where} says it brings ${kind} ${id}, but its value is called ${plugin.id}`,
      { hint: 'give its define… call and `contributes` in its package.json one id' },
    );
  }
  return value;
}
