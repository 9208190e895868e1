import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginEntry } from '@vf/plugin-host';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';

type Manifest = Readonly<Record<string, unknown>>;

/** What package.json says: how vf finds the package, which core it takes, ranges that mean nothing elsewhere. */
export function checkManifest(manifest: Manifest, entries: readonly PluginEntry[]): Finding[] {
  const findings = [
    ...entries.flatMap(stateOf),
    ...coreRange(manifest),
    ...localRanges(manifest),
    ...nameOf(manifest, entries),
  ];
  const brings = entries.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return findings.length === 0 ? [ok('manifest', `brings ${brings}`)] : findings;
}

function stateOf({ kind, id, state }: PluginEntry): Finding[] {
  if (state === 'ok') return [];
  return [
    problem(
      'manifest',
      `${kind === null ? 'the manifest' : `${kind} ${id}`}: ${state}`,
      kind === null ? 'mend "vf" in package.json' : 'another id, or another range on @vf/core',
    ),
  ];
}

function coreRange(manifest: Manifest): Finding[] {
  const peers = namesIn(manifest, 'peerDependencies');
  if (Object.hasOwn(namesIn(manifest, 'dependencies'), '@vf/core'))
    return [
      problem(
        'manifest',
        '@vf/core is among dependencies: a project would get a second one',
        'move it to peerDependencies, and to devDependencies for your own tests',
      ),
    ];
  if (Object.hasOwn(peers, '@vf/core')) return [];
  return [
    problem(
      'manifest',
      'no range on @vf/core: vf cannot tell which versions fit',
      '"peerDependencies": { "@vf/core": "^1.0.0" }',
    ),
  ];
}

function localRanges(manifest: Manifest): Finding[] {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.entries(namesIn(manifest, group))
      .filter(([, range]) => /^(workspace|catalog|file|link):/.test(String(range)))
      .map(([name, range]) =>
        problem(
          'manifest',
          `${group}.${name} is ${String(range)}, which nobody else can install`,
          'a range of versions, or pack with the manager that replaces it',
        ),
      ),
  );
}

function nameOf({ name }: Manifest, entries: readonly PluginEntry[]): Finding[] {
  const bare = String(name).split('/').at(-1) ?? '';
  const isOurs = String(name).startsWith('@vf/');
  if (isOurs || entries.length === 0 || bare.startsWith('vf-')) return [];
  const [first] = entries;
  return [
    problem(
      'manifest',
      `the name ${String(name)} does not begin with vf-: a person who misses ${first?.id} is told to install vf-${first?.kind}-${first?.id}`,
      `"name": "vf-${first?.kind}-${first?.id}", with a scope or without`,
    ),
  ];
}

function namesIn(manifest: Manifest, group: string): Readonly<Record<string, unknown>> {
  const names = manifest[group];
  return typeof names === 'object' && names !== null ? { ...names } : {};
}

/** Files that `exports` names and the package has not. */
export function checkExports(manifest: Manifest, packageDir: string): Finding[] {
  const exported = manifest['exports'];
  if (exported === undefined)
    return [
      problem(
        'files',
        'package.json has no "exports": its entry cannot be resolved',
        '"exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } }',
      ),
    ];
  const targets = targetsOf(exported).filter(({ file }) => !file.includes('*'));
  const missing = targets.filter(({ file }) => !existsSync(join(packageDir, file)));
  const hasTypes = targets.some(
    ({ file, condition }) => condition === 'types' || /\.d\.[cm]?ts$/.test(file),
  );
  return [
    ...missing.map(({ file }) =>
      problem(
        'files',
        `exports names ${file}, which is not in the package`,
        'build before packing ("prepack"), and list its folder in "files"',
      ),
    ),
    ...(hasTypes
      ? []
      : [
          problem(
            'files',
            'exports names no types: a TypeScript project that imports it gets any',
            '"types": "./dist/index.d.ts" before "default", and "declaration": true',
          ),
        ]),
  ];
}

function targetsOf(
  exported: unknown,
  condition = '',
): { readonly file: string; readonly condition: string }[] {
  if (typeof exported === 'string') return [{ file: exported, condition }];
  if (typeof exported !== 'object' || exported === null) return [];
  return Object.entries(exported).flatMap(([key, value]) =>
    targetsOf(value, key.startsWith('.') ? condition : key),
  );
}
