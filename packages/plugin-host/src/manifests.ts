import type { Contribution } from '@vf/core';
import { findPackage } from './find-package.ts';
import { directDependencies, readPackageJson } from './package-json.ts';
import type { PackageJson } from './package-json.ts';
import { readManifest } from './read-manifest.ts';

/** Where a plugin was found: named by the config, in the user's project, or among what the CLI brings. */
export type From = 'config' | 'project' | 'cli';

/** A package that says it brings plugins. */
export interface PluginPackage {
  readonly name: string;
  readonly version: string;
  readonly dir: string;
  readonly from: From;
  readonly pkg: PackageJson;
  readonly contributes: readonly Contribution[];
  /** Its range on `@vf/core`; null when it names none. */
  readonly coreRange: string | null;
  /** What is wrong with its manifest; it then contributes nothing. */
  readonly problem: string | null;
}

/**
 * Manifests of the direct dependencies of the project in `dir`, and of the plugins that these ask for as peers: the
 * containers of a taskset. Nothing is imported, nothing listed.
 */
export function pluginsOf(dir: string, from: From): PluginPackage[] {
  const pkg = readPackageJson(dir);
  if (pkg === null) return [];
  const own = pkg.vf === undefined ? [] : [toPluginPackage(dir, pkg, from)];
  const direct = directDependencies(pkg).flatMap((name) => pluginPackage(name, dir, from) ?? []);
  const found = [...own, ...direct];
  const named = new Set(found.map(({ name }) => name));
  return [...found, ...direct.flatMap((plugin) => peersOf(plugin, named))];
}

/** Plugins that a plugin asks its user for; npm installs them without naming them in the user's package.json. */
function peersOf({ pkg, dir, from }: PluginPackage, named: Set<string>): PluginPackage[] {
  return Object.keys(pkg.peerDependencies ?? {}).flatMap((name) => {
    const peer = named.has(name) ? null : pluginPackage(name, dir, from);
    if (peer === null) return [];
    named.add(name);
    return [peer];
  });
}

/** The manifest of one installed package; null when it is not there or brings no plugin. */
export function pluginPackage(name: string, seenFrom: string, from: From): PluginPackage | null {
  const dir = findPackage(name, seenFrom);
  if (dir === null) return null;
  let pkg: PackageJson | null;
  try {
    pkg = readPackageJson(dir);
  } catch {
    // A dependency that is no plugin may be as broken as it likes.
    return null;
  }
  return pkg === null || pkg.vf === undefined ? null : toPluginPackage(dir, pkg, from);
}

function toPluginPackage(dir: string, pkg: PackageJson, from: From): PluginPackage {
  return {
    name: pkg.name ?? dir,
    version: pkg.version ?? '0.0.0',
    dir,
    from,
    pkg,
    coreRange: pkg.peerDependencies?.['@vf/core'] ?? pkg.dependencies?.['@vf/core'] ?? null,
    ...readManifest(pkg.vf),
  };
}
