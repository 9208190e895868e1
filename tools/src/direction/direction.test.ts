import { describe, expect, test } from 'vitest';

import type { Manifest, WorkspacePackage } from '../workspace.ts';
import { cycleViolations } from './cycles.ts';
import { sizeViolations } from './file-sizes.ts';
import { importsOf } from './imports.ts';
import { lightEntryViolations } from './light-entries.ts';
import { manifestViolations } from './manifest-edges.ts';
import { type SourceFile, sourceViolations } from './source-edges.ts';

function pack(folder: string, rest: Partial<Manifest> = {}): WorkspacePackage {
  const name = `@vf/${folder.split('/').slice(1).join('-')}`;
  const exports = { '.': { default: './dist/index.js' } };
  return { folder, manifest: { name, version: '0.1.0', exports, ...rest } };
}

const core = pack('packages/core', {
  exports: { '.': { default: './dist/index.js' }, './trace': { default: './dist/trace/index.js' } },
});
const others = [
  core,
  pack('packages/store'),
  pack('packages/stats'),
  pack('packages/harness-kit'),
  pack('packages/testkit'),
  pack('plugins/harness/codex'),
  pack('plugins/runtime/docker'),
];
const folders = new Map(others.map(({ manifest, folder }) => [manifest.name, folder]));
const packages = new Map(others.map((each) => [each.manifest.name, each]));

function file(path: string, text: string): SourceFile {
  return { path, text, imports: importsOf(path, text) };
}

function violationsOf(source: WorkspacePackage, path: string, text: string): string[] {
  return sourceViolations(source, [file(path, text)], packages);
}

describe('dependencies in package.json', () => {
  test.each([
    ['core -> another library', 'packages/core', { dependencies: { undici: '8' } }],
    ['core -> testkit, in tests', 'packages/core', { devDependencies: { '@vf/testkit': '*' } }],
    ['package -> package', 'packages/store', { dependencies: { '@vf/stats': '*' } }],
    ['package -> plugin', 'packages/store', { devDependencies: { '@vf/harness-codex': '*' } }],
    ['package -> testkit, at run time', 'packages/store', { dependencies: { '@vf/testkit': '*' } }],
    [
      'plugin -> plugin',
      'plugins/harness/codex',
      { peerDependencies: { '@vf/runtime-docker': '*' } },
    ],
    [
      'plugin -> plugin, in tests',
      'plugins/harness/codex',
      { devDependencies: { '@vf/runtime-docker': '*' } },
    ],
    ['plugin -> package', 'plugins/harness/codex', { dependencies: { '@vf/store': '*' } }],
    ['app -> plugin', 'apps/viewer', { dependencies: { '@vf/harness-codex': '*' } }],
  ])('%s is refused', (_title, folder, manifest) => {
    expect(manifestViolations(pack(folder, manifest), folders)).toHaveLength(1);
  });

  test.each([
    ['core -> zod', 'packages/core', { dependencies: { zod: '4' } }],
    ['package -> core', 'packages/store', { dependencies: { '@vf/core': '*' } }],
    ['run -> its parts', 'packages/run', { dependencies: { '@vf/store': '*', '@vf/stats': '*' } }],
    ['plugin -> kit', 'plugins/harness/codex', { dependencies: { '@vf/harness-kit': '*' } }],
    [
      'plugin -> testkit, in tests',
      'plugins/harness/codex',
      { devDependencies: { '@vf/testkit': '*' } },
    ],
    ['apps/eval -> plugin', 'apps/eval', { dependencies: { '@vf/harness-codex': '*' } }],
    ['example -> plugin', 'examples/sums', { dependencies: { '@vf/harness-codex': '*' } }],
  ])('%s is allowed', (_title, folder, manifest) => {
    expect(manifestViolations(pack(folder, manifest), folders)).toEqual([]);
  });
});

describe('imports', () => {
  const store = pack('packages/store', { dependencies: { '@vf/core': '*' } });

  test('a deep import is refused and says where it stands', () => {
    expect(
      violationsOf(store, 'src/a.ts', "\nimport type { A } from '@vf/core/src/message.ts';"),
    ).toEqual([
      'packages/store/src/a.ts:2: imports @vf/core/src/message.ts, which @vf/core does not export',
    ]);
  });

  test.each([
    ['into another package by path', "import { a } from '../../core/src/a.ts';"],
    ['of a package that is not declared', "import { a } from '@vf/testkit';"],
    ['of a package in the wrong direction', "export { a } from '@vf/stats';"],
    ['of a plugin, when called', "export const a = () => import('@vf/harness-codex');"],
    ['of values from the root of core, which loads zod', "import { z } from '@vf/core';"],
  ])('%s is refused', (_title, text) => {
    expect(violationsOf(store, 'src/a.ts', text)).toHaveLength(1);
  });

  test.each([
    ['types from the root of core', "import type { Task } from '@vf/core';"],
    ['values from a subpath of core', "import { Trace } from '@vf/core/trace';"],
    ['a node: module', "import { join } from 'node:path';"],
    ['a file of the same package', "import { b } from './b.ts';"],
  ])('%s is allowed', (_title, text) => {
    expect(violationsOf(store, 'src/a.ts', text)).toEqual([]);
  });

  test('core imports neither node: modules nor other libraries, but its tests may', () => {
    const text = "import { join } from 'node:path';\nimport fc from 'fast-check';";
    expect(violationsOf(core, 'src/a.ts', text)).toHaveLength(2);
    expect(violationsOf(core, 'src/a.test.ts', text)).toEqual([]);
    expect(violationsOf(core, 'src/a.ts', "import { z } from 'zod';")).toEqual([]);
  });
});

describe('entries of core that load no package', () => {
  const entry = 'src/trace/index.ts';

  test('a load at the far end of a chain is found', () => {
    const files = [
      file(entry, "export { a } from './a.ts';"),
      file('src/trace/a.ts', "import { b } from '../b.ts';\nexport const a = b;"),
      file('src/b.ts', "import { z } from 'zod';\nexport const b = z;"),
    ];
    expect(lightEntryViolations(entry, files)).toEqual([
      'src/b.ts:1: loads zod, and src/trace/index.ts must load no package',
    ]);
  });

  test('types load nothing', () => {
    const files = [
      file(entry, "import type { A } from '../a.ts';\nexport type { B } from 'zod';"),
      file('src/a.ts', "import { z } from 'zod';"),
    ];
    expect(lightEntryViolations(entry, files)).toEqual([]);
  });
});

describe('files that import each other', () => {
  const circle = [
    file('src/a.ts', "import { b } from './in/b.ts';"),
    file('src/in/b.ts', "export { c } from '../c.ts';"),
    file('src/c.ts', "import type { A } from './a.ts';"),
    file('src/d.ts', "import { a } from './a.ts';"),
  ];

  test('are told once, by the way round; types count', () => {
    expect(cycleViolations('packages/run', circle)).toEqual([
      'packages/run/src/a.ts: imports itself in a circle: src/a.ts -> src/in/b.ts -> src/c.ts -> src/a.ts',
    ]);
    expect(cycleViolations('packages/run', [file('src/e.ts', "export * from './e.ts';")])).toEqual([
      'packages/run/src/e.ts: imports itself in a circle: src/e.ts -> src/e.ts',
    ]);
  });

  test('are none without the one that closes the circle, or when it is loaded by a call', () => {
    const [a, b, c, d] = circle;
    const open = [a, b, d].filter((one) => one !== undefined);
    expect(cycleViolations('packages/run', open)).toEqual([]);
    const called = file(c?.path ?? '', "export const a = () => import('./a.ts');");
    expect(cycleViolations('packages/run', [...open, called])).toEqual([]);
  });

  test('in two circles are two violations', () => {
    const other = [file('src/x.ts', "import './y.ts';"), file('src/y.ts', "import './x.ts';")];
    expect(cycleViolations('packages/run', [...circle, ...other])).toHaveLength(2);
  });
});

test('long files are refused, and a plugin has a short index', () => {
  const lines = (count: number): string => '\n'.repeat(count - 1) + 'x';
  expect(sizeViolations('packages/run', [file('src/a.ts', lines(400))])).toEqual([]);
  expect(sizeViolations('packages/run', [file('src/a.ts', lines(401))])).toHaveLength(1);
  expect(sizeViolations('plugins/x/y', [file('src/index.ts', lines(25))])).toEqual([]);
  expect(sizeViolations('plugins/x/y', [file('src/index.ts', lines(26))])).toHaveLength(1);
});
