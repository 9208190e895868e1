import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Contribution } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { PluginHost } from '../src/index.ts';
import { officialPackage } from '../src/official-package.ts';

const root = resolve(import.meta.dirname, '../../..');
const vfDir = join(root, 'apps/eval');

interface Manifest {
  readonly name: string;
  readonly vf: { readonly contributes: readonly Contribution[] };
}

const shipped = globSync('plugins/*/*/package.json', { cwd: root }).flatMap((file) => {
  const { name, vf } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
  return vf.contributes.map(({ kind, id }) => ({ kind, id, name }));
});

test.each(shipped)('$kind $id: a hint to install it names $name', ({ kind, id, name }) => {
  expect(officialPackage(kind, id)).toBe(name);
});

test('only what is there is named as vf’s own', () => {
  expect(officialPackage('harness', 'docker')).toBe('vf-harness-docker');
  expect(officialPackage('runtime', 'cloud')).toBe('vf-runtime-cloud');
});

describe.each([
  ['in the clone', root],
  ['from a folder of one’s own, with the vf of the clone', tmpdir()],
])('%s', (_, cwd) => {
  test('every plugin of the repository is found', () => {
    const found = new PluginHost({ cwd, vfDir }).list();
    const inReach = found.map(({ kind, id, package: name, state }) => ({ kind, id, name, state }));
    expect(inReach).toEqual(
      expect.arrayContaining(shipped.map((plugin) => ({ ...plugin, state: 'ok' }))),
    );
  });
});
