/** Which other packages a package may use, by the room that it lies in. */
export interface Allowance {
  /** May it use this package at run time? */
  readonly run: (target: string) => boolean;
  /** May its tests and scripts? */
  readonly dev: (target: string) => boolean;
}

const core = 'packages/core';
const testkit = 'packages/testkit';
const kits = new Set([
  core,
  'packages/export-kit',
  'packages/harness-kit',
  'packages/judge',
  'packages/runtime-kit',
  'packages/wire',
]);

/** The packages that use more than core; all others use core alone. */
const composed: Readonly<Record<string, readonly string[]>> = {
  'packages/run': ['plugin-host', 'interception', 'toolset', 'store', 'stats', 'rollout', 'train'],
  'packages/train': ['renderers'],
  'packages/serve': ['run', 'interception', 'train', 'wire'],
};

function packageAllowance(folder: string): Allowance {
  const allowed = new Set([core, ...(composed[folder] ?? []).map((id) => `packages/${id}`)]);
  return {
    run: (target) => allowed.has(target),
    dev: (target) => allowed.has(target) || (target === testkit && folder !== testkit),
  };
}

/**
 * The direction of every arrow: apps -> packages -> core, plugins -> core and kits.
 * `apps/eval` brings plugins with it; tests, benchmarks and examples may use any of them.
 */
export function allowanceOf(folder: string): Allowance {
  const [room] = folder.split('/');
  if (folder === core) return { run: () => false, dev: () => false };
  if (room === 'packages') return packageAllowance(folder);
  if (room === 'plugins') {
    return {
      run: (target) => kits.has(target),
      dev: (target) => kits.has(target) || target === testkit,
    };
  }
  const packages = (target: string): boolean => target.startsWith('packages/');
  const plugins = (target: string): boolean => target.startsWith('plugins/');
  const both = (target: string): boolean => packages(target) || plugins(target);
  if (folder === 'apps/eval') return { run: both, dev: both };
  if (room === 'apps' || room === 'tools') return { run: packages, dev: packages };
  if (room === 'examples') {
    const kit = (target: string): boolean => both(target) || target === 'tools/local-model';
    return { run: kit, dev: kit };
  }
  // Nobody uses the tests of several packages, so that all of them is a test.
  if (room === 'tests') return { run: () => true, dev: () => true };
  return { run: (target) => both(target) || target.startsWith('apps/'), dev: () => true };
}

/** Third-party packages that a package may use; `undefined` is any. core has zod and nothing else. */
export function librariesOf(folder: string): readonly string[] | undefined {
  return folder === core ? ['zod'] : undefined;
}

/**
 * Packages that never load zod: they take types from `@vf/core` and values from its subpaths.
 */
export const withoutZod: ReadonlySet<string> = new Set([
  'packages/export-kit',
  'packages/harness-kit',
  'packages/interception',
  'packages/plugin-host',
  'packages/renderers',
  'packages/runtime-kit',
  'packages/stats',
  'packages/store',
  'packages/toolset',
  'packages/train',
  'packages/wire',
]);

/** Entries of core that load neither zod nor a `node:` module, however indirectly. */
export const lightEntries: readonly string[] = [
  'src/dialect-kit/index.ts',
  'src/errors/index.ts',
  'src/trace/index.ts',
];
