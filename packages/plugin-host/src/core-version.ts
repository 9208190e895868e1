// The package's main module loads all of it, three times as long as this function takes.
import satisfies from 'semver/functions/satisfies.js';
import { readPackageJson } from './package-json.ts';
import { findPackage } from './find-package.ts';

let known: string | null = null;

/** The version of `@vf/core` that this host works with. */
export function coreVersion(): string {
  known ??= readOwn();
  return known;
}

function readOwn(): string {
  const dir = findPackage('@vf/core', import.meta.dirname);
  return (dir === null ? null : readPackageJson(dir)?.version) ?? '0.0.0';
}

/** Does a plugin's range on `@vf/core` meet ours? Prereleases count; a workspace range always does. */
export function meetsCore(range: string | null): boolean {
  if (range === null || range.startsWith('workspace:')) return true;
  return satisfies(coreVersion(), range, { includePrerelease: true });
}
