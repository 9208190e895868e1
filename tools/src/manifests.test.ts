import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  type Manifest,
  packageGlobs,
  root,
  sourceEntries,
  workspacePackages,
} from './workspace.ts';

const packages = workspacePackages();
const published = packages.filter(({ manifest }) => manifest.private !== true);
const plugins = packages.filter(({ folder }) => folder.startsWith('plugins/'));

/** `plugins/harness/codex` -> `@vf/harness-codex`. */
function nameFor(folder: string): string {
  const [room, ...rest] = folder.split('/');
  if (room === 'examples') return `@vf/example-${rest.join('-')}`;
  return `@vf/${rest.length === 0 ? room : rest.join('-')}`;
}

function withoutSource(exports: Manifest['exports']): unknown {
  return JSON.parse(JSON.stringify(exports), (key: string, value: unknown) =>
    key === '@vf/source' ? undefined : value,
  );
}

test('pnpm-workspace.yaml lists the folders that the checks look into', () => {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const listed = /^packages:\n((?: {2}- .*\n)+)/.exec(text)?.[1]?.match(/[^\s-]\S*/g);
  expect(listed).toEqual(packageGlobs);
});

describe.each(packages)('$folder', ({ folder, manifest }) => {
  test('is named after its folder', () => {
    expect(manifest.name).toBe(nameFor(folder));
  });

  test('is an ESM package under Apache-2.0 with a description', () => {
    expect(manifest).toMatchObject({ type: 'module', license: 'Apache-2.0' });
    expect(manifest.description).toMatch(/^\S.*[^.\s]$/);
  });

  test('takes versions from the workspace or the catalog', () => {
    const ranges = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, range] of Object.entries(ranges)) {
      expect(range, name).toMatch(name.startsWith('@vf/') ? /^workspace:[*^]$/ : /^catalog:$/);
    }
  });

  test('has a tsconfig.json that extends the base', () => {
    const text = readFileSync(join(root, folder, 'tsconfig.json'), 'utf8');
    expect(JSON.parse(text)).toHaveProperty(
      'extends',
      expect.stringMatching(/^(\.\.\/)+tsconfig\.base\.json$/),
    );
  });
});

describe.each(published)('$folder, published', ({ folder, manifest }) => {
  test('ships what is built and no source condition', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist']));
    expect(manifest.publishConfig).toEqual({
      access: 'public',
      exports: withoutSource(manifest.exports),
    });
  });

  test('gives each entry as source, types and JavaScript', () => {
    expect(manifest.exports?.['./package.json']).toBe('./package.json');
    for (const [subpath, source] of Object.entries(sourceEntries(manifest))) {
      const built = source.replace('./src/', './dist/').replace(/\.ts$/, '');
      expect(Object.entries(manifest.exports?.[subpath] ?? {})).toEqual([
        ['@vf/source', source],
        ['types', `${built}.d.ts`],
        ['default', `${built}.js`],
      ]);
    }
    expect(Object.keys(sourceEntries(manifest))).toContain('.');
  });

  test('is built by the preset and says which Node it needs', () => {
    const depth = folder.split('/').length;
    expect(manifest.scripts?.['build']).toBe(`node ${'../'.repeat(depth)}tools/src/build.ts`);
    expect(manifest.engines).toEqual({ node: '>=22.19' });
    expect(manifest.sideEffects).toBe(false);
  });
});

describe.each(plugins)('$folder, plugin', ({ folder, manifest }) => {
  const [, kind, id] = folder.split('/');

  test('says in its manifest what it brings', () => {
    expect(manifest.keywords).toEqual(['vf-plugin', `vf-${kind}`]);
    expect(manifest.vf).toEqual({
      manifest: 1,
      contributes: [
        expect.objectContaining({ kind, id, entry: '.', summary: manifest.description }),
      ],
    });
  });

  test('takes core from the project it is installed in', () => {
    expect(manifest.peerDependencies?.['@vf/core']).toBe('^1.0.0');
    expect(manifest.devDependencies?.['@vf/core']).toBe('workspace:*');
    expect(manifest.dependencies ?? {}).not.toHaveProperty('@vf/core');
  });
});
