import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { vfDir } from '../plugin-host.ts';
import type { PluginName } from './plugin-name.ts';
import { ranges } from './ranges.ts';

export type InitKind = 'taskset' | 'harness' | 'environment';

/** What a package starts with: a kind's own example, or a taskset around tasks that are there. */
export type Template = InitKind | 'harbor';

/** Files of a new package, by path. */
export type NewFiles = ReadonlyMap<string, string>;

const templates = join(vfDir, 'templates');

const kindOf = (template: Template): InitKind => (template === 'harbor' ? 'taskset' : template);

interface Dependencies {
  readonly run: readonly string[];
  /** Plugins that whoever uses the package needs beside it. */
  readonly peer: readonly string[];
  readonly dev: readonly string[];
}

/** What the template of each kind needs beside what all have. */
const furtherDependencies: Readonly<Record<Template, Dependencies>> = {
  taskset: { run: [], peer: [], dev: [] },
  harbor: {
    run: ['@vf/taskset-harbor'],
    peer: ['@vf/runtime-docker'],
    dev: ['@vf/harness-codex', '@vf/runtime-docker'],
  },
  harness: { run: ['@vf/harness-kit'], peer: [], dev: ['@vf/runtime-subprocess'] },
  environment: { run: [], peer: [], dev: [] },
};

const devDependencies = [
  '@types/node',
  '@vf/core',
  '@vf/eval',
  '@vf/testkit',
  'typescript',
  'vitest',
];

/** A package that builds, tests and packs as it is. */
export async function pluginFiles(template: Template, name: PluginName): Promise<NewFiles> {
  const files = new Map<string, string>();
  const folder = join(templates, template);
  for (const path of globSync('**/*.{ts,md}', { cwd: folder }).toSorted()) {
    const text = await readFile(join(folder, path), 'utf8');
    files.set(path, text.replaceAll('{{name}}', name.package).replaceAll('{{id}}', name.id));
  }
  files.set('package.json', json(manifestOf(template, name)));
  files.set('tsconfig.json', json(tsconfig));
  files.set('tsconfig.build.json', json(buildTsconfig));
  files.set('.gitignore', await readFile(join(templates, 'gitignore'), 'utf8'));
  return files;
}

function manifestOf(template: Template, { package: name, id }: PluginName): object {
  const kind = kindOf(template);
  const { run, peer, dev } = furtherDependencies[template];
  const summary = `The ${kind} ${id}`;
  const check = 'npm run build && tsc && vitest run';
  return {
    name,
    version: '0.1.0',
    description: `${summary} of vf`,
    keywords: ['vf-plugin', `vf-${kind}`],
    type: 'module',
    sideEffects: false,
    files: template === 'harbor' ? ['dist', 'tasks'] : ['dist'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    scripts: {
      build: 'tsc -p tsconfig.build.json',
      test: template === 'taskset' ? `${check} && vf validate ${id}` : check,
      prepack: 'npm run build',
    },
    vf: {
      manifest: 1,
      contributes: [{ kind, id, entry: '.', summary }],
    },
    ...(run.length === 0 ? {} : { dependencies: ranges(run) }),
    peerDependencies: ranges(['@vf/core', ...peer]),
    devDependencies: ranges([...devDependencies, ...dev]),
    engines: { node: '>=22.19' },
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src', 'test'],
};

const buildTsconfig = {
  extends: './tsconfig.json',
  compilerOptions: {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
