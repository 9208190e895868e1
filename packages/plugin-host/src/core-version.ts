// The package's main module loads all of it, three times as long as this function takes.
import satisfies from 'semver/functions/satisfies.js';
import lessThanRange from 'semver/ranges/ltr.js';
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
export function meetsCore(range: string): boolean {
  if (range.startsWith('workspace:')) return true;
  return satisfies(coreVersion(), range, { includePrerelease: true });
}

/** Is our version older than all that a range takes? A range that nobody can read is the plugin's to mend. */
export function isBehind(range: string): boolean {
  try {
    return lessThanRange(coreVersion(), range);
  } catch {
    return false;
  }
}
